/** Check for evidence packs in browsers. A separate entry point, so that clients load it only with the pages that use it. */
export { InexactNumberError, parseLosslessJson } from '@countersign/model';
export * from '@countersign/model/evidence/portable';
