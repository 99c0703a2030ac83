//! Reports.

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use super::App;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
}
