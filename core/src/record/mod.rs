//! Record sets: the records of a fetch response or produce request, and the contents of a segment file.
//!
//! From the bytes up: [`layout`] says where header fields lie, [`batches`] splits a buffer into entries,
//! [`batch`] sees one through its bytes, [`payload`] gets at the bytes of its records, [`walk`] and
//! [`record`] read records of magic 2, [`legacy`] messages of magic 0 and 1. On them stand the borrowed
//! form ([`iter`]), the tables ([`rows`] in a [`table`] each, which [`decoder`] and [`fill`] write) and the
//! owned form ([`owned`]). [`params`], [`writer`], [`encoder`] and [`builder`] go the other way; [`quick`] is
//! the short way in both for the records that are the rule. [`restamp`] rewrites headers in place,
//! [`committed`] filters, [`validate`] checks.

pub(crate) mod batch;
pub(crate) mod batches;
pub(crate) mod builder;
pub(crate) mod committed;
pub(crate) mod control;
pub(crate) mod decoder;
pub(crate) mod encoder;
pub(crate) mod fill;
pub(crate) mod iter;
pub(crate) mod layout;
pub(crate) mod legacy;
pub(crate) mod owned;
pub(crate) mod params;
pub(crate) mod payload;
pub(crate) mod quick;
#[allow(clippy::module_inception, reason = "the format's own noun")]
pub(crate) mod record;
pub(crate) mod restamp;
pub(crate) mod rows;
pub(crate) mod table;
pub(crate) mod validate;
pub(crate) mod walk;
pub(crate) mod writer;
