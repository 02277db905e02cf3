//! The beginning of a session.

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, GetMeta as _, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that drops messages that cannot begin a session: the SDK ends at a notification or an answer
/// before the first request.
pub(super) struct PatientTransport<T> {
    inner: T,
    has_begun: bool,
}

impl<T> PatientTransport<T> {
    pub(super) fn new(inner: T) -> Self {
        Self { inner, has_begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for PatientTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            if let JsonRpcMessage::Request(request) = &message {
                let request = &request.request;
                self.has_begun |= matches!(request, ClientRequest::InitializeRequest(_))
                    || request.get_meta().protocol_version().is_some();
                return Some(message);
            }
            if self.has_begun {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
