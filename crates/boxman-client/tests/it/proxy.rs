//! A line is cut, stalled, slowed down and robbed of its answers.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use boxman_client::proxy::{Counts, Proxy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};

/// A server that answers with what it was sent, and keeps it.
struct Echo {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Echo {
    async fn start() -> Echo {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let echo = Echo { address: listener.local_addr().unwrap(), heard: Arc::default() };
        let heard = Arc::clone(&echo.heard);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let heard = Arc::clone(&heard);
                tokio::spawn(async move {
                    let mut buffer = vec![0; 64 * 1024];
                    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                        heard.lock().unwrap().extend(&buffer[..read]);
                        if stream.write_all(&buffer[..read]).await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        echo
    }

    async fn heard(&self, wanted: &[u8]) {
        let so = async {
            while *self.heard.lock().unwrap() != wanted {
                sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(Duration::from_secs(5), so).await.expect("the server hears it");
    }
}

async fn connect(proxy: &Proxy) -> TcpStream {
    let stream = TcpStream::connect(proxy.address()).await.unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

async fn ask(stream: &mut TcpStream, word: &[u8]) -> Result<(), ErrorKind> {
    stream.write_all(word).await.map_err(|error| error.kind())?;
    let mut answer = vec![0; word.len()];
    stream.read_exact(&mut answer).await.map_err(|error| error.kind())?;
    assert_eq!(answer, word);
    Ok(())
}

async fn is_silent(stream: &mut TcpStream) -> bool {
    timeout(Duration::from_millis(100), stream.read(&mut [0; 1])).await.is_err()
}

#[tokio::test]
async fn everything_passes_and_is_counted() {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).unwrap();
    let mut stream = connect(&proxy).await;
    ask(&mut stream, b"seven").await.unwrap();
    let large: Vec<u8> = (0..3_000_000_u32).map(|place| (place % 251) as u8).collect();
    let (mut read, mut write) = stream.into_split();
    let writing = async {
        write.write_all(&large).await.unwrap();
        write.shutdown().await.unwrap();
    };
    let mut answer = Vec::new();
    let (_, read) = tokio::join!(writing, read.read_to_end(&mut answer));
    read.unwrap();
    assert!(answer == large, "{} bytes came back", answer.len());
    let mut counts = proxy.counts();
    for _ in 0..100 {
        if counts.open > 0 {
            sleep(Duration::from_millis(10)).await;
        }
        counts = proxy.counts();
    }
    let (to_server, to_clients) = (3_000_005, 3_000_005);
    let wanted = Counts { connections: 1, open: 0, to_server, to_clients, swallowed: 0 };
    assert_eq!(counts, wanted);
}

#[tokio::test]
async fn a_cut_line_refuses_until_it_is_mended() {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).unwrap();
    let mut stream = connect(&proxy).await;
    ask(&mut stream, b"seven").await.unwrap();
    for _ in 0..2 {
        proxy.cut();
        assert_eq!(proxy.counts().open, 0);
        assert_eq!(stream.read(&mut [0; 1]).await.unwrap_err().kind(), ErrorKind::ConnectionReset);
        let refused = TcpStream::connect(proxy.address()).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::ConnectionRefused);
        proxy.cut();
        proxy.mend().unwrap();
        proxy.mend().unwrap();
        stream = connect(&proxy).await;
        ask(&mut stream, b"eleven").await.unwrap();
    }
    assert_eq!(proxy.counts().connections, 3);
    let address = proxy.address();
    drop(proxy);
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_stalled_line_is_silent_and_then_goes_on() {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).unwrap();
    let mut old = connect(&proxy).await;
    ask(&mut old, b"seven").await.unwrap();
    proxy.stall();
    let mut new = connect(&proxy).await;
    for stream in [&mut old, &mut new] {
        stream.write_all(b"x").await.unwrap();
        assert!(is_silent(stream).await);
    }
    echo.heard(b"seven").await;
    // The server does not even hear that a client has left.
    drop(new);
    sleep(Duration::from_millis(50)).await;
    assert_eq!(proxy.counts().open, 2);
    proxy.flow();
    assert_eq!(old.read_u8().await.unwrap(), b'x');
    ask(&mut old, b"eleven").await.unwrap();
}

#[tokio::test]
async fn a_slow_line_carries_much_at_once() {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).unwrap();
    proxy.delay(Duration::from_millis(200));
    let mut stream = connect(&proxy).await;
    let start = Instant::now();
    ask(&mut stream, b"seven").await.unwrap();
    let once = start.elapsed();
    assert!(once >= Duration::from_millis(400), "there and back took {once:?}");

    // A hundred words, each written on its own, take as long as one and come in order.
    let start = Instant::now();
    let words: Vec<u8> = (0..100).collect();
    for word in &words {
        stream.write_u8(*word).await.unwrap();
        sleep(Duration::from_millis(1)).await;
    }
    let mut answer = vec![0; words.len()];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, words);
    let all = start.elapsed();
    assert!(all < Duration::from_secs(4), "a hundred words took {all:?}");

    proxy.delay(Duration::ZERO);
    let start = Instant::now();
    ask(&mut stream, b"eleven").await.unwrap();
    assert!(start.elapsed() < Duration::from_millis(400));
}

#[tokio::test]
async fn a_swallowed_answer_was_an_answer() {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).unwrap();
    let mut one = connect(&proxy).await;
    let mut two = connect(&proxy).await;
    ask(&mut one, b"a").await.unwrap();
    proxy.swallow_next_answer();
    assert_eq!(ask(&mut one, b"b").await, Err(ErrorKind::ConnectionReset));
    ask(&mut two, b"c").await.unwrap();
    echo.heard(b"abc").await;

    proxy.swallow_answers();
    let mut three = connect(&proxy).await;
    assert_eq!(ask(&mut two, b"d").await, Err(ErrorKind::ConnectionReset));
    assert_eq!(ask(&mut three, b"e").await, Err(ErrorKind::ConnectionReset));
    echo.heard(b"abcde").await;
    assert_eq!(proxy.counts().swallowed, 3);
    assert_eq!(proxy.counts().to_clients, 2);

    proxy.mend().unwrap();
    ask(&mut connect(&proxy).await, b"f").await.unwrap();
}

#[tokio::test]
async fn a_line_is_cut_after_so_many_bytes() {
    let echo = Echo::start().await;
    let proxy = Proxy::start(echo.address).unwrap();
    let mut stream = connect(&proxy).await;
    ask(&mut stream, b"ab").await.unwrap();
    proxy.cut_after(6);
    ask(&mut stream, b"cd").await.unwrap();
    assert_eq!(ask(&mut stream, b"efghij").await, Err(ErrorKind::ConnectionReset));
    echo.heard(b"abcdefgh").await;
    assert_eq!(proxy.counts().to_clients, 4);
    ask(&mut connect(&proxy).await, b"once").await.unwrap();
    proxy.cut_after(0);
    assert_eq!(ask(&mut connect(&proxy).await, b"x").await, Err(ErrorKind::ConnectionReset));
    echo.heard(b"abcdefghonce").await;
}
