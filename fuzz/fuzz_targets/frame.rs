//! Whatever comes in on a socket, it is refused with a reason or read the same when written back.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    match boxman_server::testing::http::decode(text) {
        Ok(frame) => {
            let written = serde_json::to_string(&frame).unwrap();
            assert_eq!(boxman_server::testing::http::decode(&written), Ok(frame));
        }
        Err(reason) => assert!(!reason.is_empty()),
    }
});
