//! Accounts: made and changed by administrators.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Json, Path, Who};
use super::{App, Shared};
use crate::access::{Action, Role};
use crate::problem::Problem;
use crate::store::Account;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, make)).routes(routes!(change))
}

/// An account.
#[derive(Serialize, TS, ToSchema)]
pub struct AccountView {
    /// Its name.
    pub name: String,
    /// What it may do.
    pub roles: Vec<Role>,
    /// Whether too many logins failed.
    pub locked: bool,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> AccountView {
        AccountView { name: account.name, roles: account.roles, locked: account.locked }
    }
}

/// An account to be made.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeAccount {
    /// Its name: 2 to 24 lower-case letters, digits and full stops.
    #[schema(pattern = "^[a-z0-9.]{2,24}$")]
    pub name: String,
    /// Its password: 10 characters or more.
    #[schema(min_length = 10, max_length = 200)]
    pub password: String,
    /// What it may do.
    #[schema(min_items = 1)]
    pub roles: Vec<Role>,
}

/// What shall be different about an account.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeAccount {
    /// What it may do from now on; its sessions end.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub roles: Option<Vec<Role>>,
    /// Its new password; its sessions end.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(min_length = 10, max_length = 200)]
    pub password: Option<String>,
    /// Unlock it.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub unlock: bool,
}

/// Every account.
#[utoipa::path(get, path = "/api/accounts", tag = "accounts", operation_id = "accounts", responses(
    (status = 200, body = Vec<AccountView>),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn list(State(app): Shared, who: Who) -> Result<axum::Json<Vec<AccountView>>, Problem> {
    who.may(Action::KeepAccounts, false)?;
    let accounts = app.house.store.accounts().await?;
    Ok(axum::Json(accounts.into_iter().map(AccountView::from).collect()))
}

/// Make an account.
#[utoipa::path(post, path = "/api/accounts", tag = "accounts",
    operation_id = "make_account", request_body = MakeAccount, responses(
    (status = 201, body = AccountView),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn make(
    State(app): Shared,
    who: Who,
    Json(made): Json<MakeAccount>,
) -> Result<(StatusCode, axum::Json<AccountView>), Problem> {
    who.may(Action::KeepAccounts, false)?;
    let MakeAccount { name, password, roles } = made;
    let account = app.door.make_account(&who.person.id, &name, password, roles).await?;
    Ok((StatusCode::CREATED, axum::Json(account.into())))
}

/// Change an account's roles or password, or unlock it.
#[utoipa::path(patch, path = "/api/accounts/{name}", tag = "accounts",
    operation_id = "change_account", request_body = ChangeAccount,
    params(("name" = String, Path, description = "the account")), responses(
    (status = 200, body = AccountView),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn change(
    State(app): Shared,
    who: Who,
    Path(name): Path<String>,
    Json(change): Json<ChangeAccount>,
) -> Result<axum::Json<AccountView>, Problem> {
    who.may(Action::KeepAccounts, false)?;
    let ChangeAccount { roles, password, unlock } = change;
    let by = &who.person.id;
    let account = app.door.change_account(by, &name, roles, password, unlock).await?;
    Ok(axum::Json(account.into()))
}
