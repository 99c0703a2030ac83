//! The certificate that a node makes for itself at its start. Nobody signs it: the database, which
//! every node of a house can write to and nobody else, has its fingerprint.

use std::fmt;
use std::sync::Arc;

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime,
};
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, DistinguishedName, Error, ServerConfig,
    SignatureScheme,
};

use crate::hash::Hash;

/// What every certificate is made out to. Who shows it is told by its fingerprint.
pub(super) const NAME: &str = "boxman-node";

/// A certificate and its key, which never leaves the process.
pub(super) struct Certificate {
    certificate: CertificateDer<'static>,
    key: PrivatePkcs8KeyDer<'static>,
    provider: Arc<CryptoProvider>,
}

/// A certificate that could not be made, or not be used.
#[derive(Debug)]
pub struct NoCertificate(String);

impl fmt::Display for NoCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no certificate for the line between nodes: {}", self.0)
    }
}

impl std::error::Error for NoCertificate {}

impl Certificate {
    pub(super) fn fresh() -> Result<Certificate, NoCertificate> {
        let made = rcgen::generate_simple_self_signed(vec![NAME.to_owned()]);
        let made = made.map_err(|error| NoCertificate(error.to_string()))?;
        Ok(Certificate {
            certificate: made.cert.der().clone(),
            key: PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()),
            provider: Arc::new(ring::default_provider()),
        })
    }

    /// What others know it by.
    pub(super) fn fingerprint(&self) -> String {
        fingerprint(&self.certificate)
    }

    fn chain(&self) -> (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>) {
        (vec![self.certificate.clone()], PrivateKeyDer::Pkcs8(self.key.clone_key()))
    }

    /// How to speak to one node: it shows the certificate with this fingerprint, or nothing is
    /// said.
    pub(super) fn client(&self, theirs: String) -> Result<ClientConfig, NoCertificate> {
        let broken = |error: Error| NoCertificate(error.to_string());
        let (chain, key) = self.chain();
        let known = Known::new(&self.provider, move |shown| shown == theirs);
        let config = ClientConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(broken)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(known));
        config.with_client_auth_cert(chain, key).map_err(broken)
    }

    /// How to listen: to nodes that `is_known` and to nobody else.
    pub(super) fn server(
        &self,
        is_known: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Result<ServerConfig, NoCertificate> {
        let broken = |error: Error| NoCertificate(error.to_string());
        let (chain, key) = self.chain();
        let known = Known::new(&self.provider, is_known);
        let config = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()
            .map_err(broken)?
            .with_client_cert_verifier(Arc::new(known));
        config.with_single_cert(chain, key).map_err(broken)
    }
}

fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    Hash::of(certificate).to_string()
}

/// Knows others by their fingerprints; that they have the key is proved by the handshake.
struct Known {
    is_known: Box<dyn Fn(&str) -> bool + Send + Sync>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Known {
    fn new(
        provider: &CryptoProvider,
        is_known: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Known {
        let algorithms = provider.signature_verification_algorithms;
        Known { is_known: Box::new(is_known), algorithms }
    }

    fn check(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        match (self.is_known)(&fingerprint(shown)) {
            true => Ok(()),
            false => Err(CertificateError::UnknownIssuer.into()),
        }
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Known")
    }
}

impl ServerCertVerifier for Known {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(shown).map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

impl ClientCertVerifier for Known {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        shown: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(shown).map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
