import type { ApprovalLink } from '../../common/bridge.js';
import { LINK_SCHEME } from '../../common/schemes.js';

const LINK_PATTERN = new RegExp(`^${LINK_SCHEME}://approvals/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$`, 'i');

/**
 * Parses a link of the form `countersign://approvals/ID`; links with any other path or with a query are refused. Anyone
 * can create a link, so a link only displays an approval and never votes.
 */
export function parseLink(url: string): ApprovalLink | undefined {
  const approvalId = LINK_PATTERN.exec(url)?.[1]?.toLowerCase();
  return approvalId === undefined ? undefined : { approvalId };
}

/** Returns the first valid link among the command-line arguments. */
export function findLink(argv: readonly string[]): ApprovalLink | undefined {
  return argv.map(parseLink).find((link) => link !== undefined);
}
