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
use crate::access::Deed;
use crate::auth::{AccountChange, NewAccount};
use crate::problem::{Problem, Problems};
use crate::role::Role;
use crate::store::Account;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list, make)).routes(routes!(change))
}

/// An account, as administrators see it.
#[derive(Serialize, TS, ToSchema)]
pub struct AccountView {
    /// What stands for them at tables and in logs: `p-ID`.
    pub person: String,
    /// The name they log in with.
    pub name: String,
    /// The name shown at tables.
    pub table_name: String,
    /// What they may do.
    pub roles: Vec<Role>,
}

impl From<Account> for AccountView {
    fn from(account: Account) -> AccountView {
        let Account { id: person, login: name, table_name, roles, .. } = account;
        AccountView { person, name, table_name, roles }
    }
}

/// An account to be made.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MakeAccount {
    /// The name to log in with: 2 to 24 lower-case letters, digits and full stops.
    #[schema(pattern = "^[a-z0-9.]{2,24}$")]
    pub name: String,
    /// The name shown at tables, another than the one to log in with; one is made up where it is
    /// left out.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(min_length = 1, max_length = 24)]
    pub table_name: Option<String>,
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
    /// The name shown at tables, from the next time they sit down.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(min_length = 1, max_length = 24)]
    pub table_name: Option<String>,
}

/// Every account.
#[utoipa::path(get, path = "/api/accounts", tag = "accounts", operation_id = "accounts", responses(
    (status = 200, body = Vec<AccountView>),
    Problems,
))]
async fn list(State(app): Shared, who: Who) -> Result<Json<Vec<AccountView>>, Problem> {
    who.may(Deed::KeepAccounts, false)?;
    let accounts = app.house.store.accounts().await?;
    Ok(Json(accounts.into_iter().map(AccountView::from).collect()))
}

/// Make an account.
#[utoipa::path(post, path = "/api/accounts", tag = "accounts",
    operation_id = "make_account", request_body = MakeAccount, responses(
    (status = 201, body = AccountView),
    Problems,
))]
async fn make(
    State(app): Shared,
    who: Who,
    Json(made): Json<MakeAccount>,
) -> Result<(StatusCode, Json<AccountView>), Problem> {
    who.may(Deed::KeepAccounts, false)?;
    let MakeAccount { name: login, table_name, password, roles } = made;
    let new = NewAccount { login, password, table_name, roles };
    let account = app.door.make_account(&who.person.id, new).await?;
    Ok((StatusCode::CREATED, Json(account.into())))
}

/// Change an account's roles, password or name at tables.
#[utoipa::path(patch, path = "/api/accounts/{name}", tag = "accounts",
    operation_id = "change_account", request_body = ChangeAccount,
    params(("name" = String, Path, description = "the name it is logged in with")), responses(
    (status = 200, body = AccountView),
    Problems,
))]
async fn change(
    State(app): Shared,
    who: Who,
    Path(name): Path<String>,
    Json(change): Json<ChangeAccount>,
) -> Result<Json<AccountView>, Problem> {
    who.may(Deed::KeepAccounts, false)?;
    let ChangeAccount { roles, password, table_name } = change;
    let change = AccountChange { roles, password, table_name };
    let account = app.door.change_account(&who.person.id, &name, change).await?;
    Ok(Json(account.into()))
}
