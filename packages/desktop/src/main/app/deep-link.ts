import type { ApprovalLink } from '../../common/bridge.js';
import { LINK_SCHEME } from '../../common/schemes.js';

const LINK_PATTERN = new RegExp(`^${LINK_SCHEME}://approvals/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$`, 'i');

/**
 * Parses `countersign://approvals/ID` and nothing else: no other path, no query. Anyone can write a link, so a link
 * only opens.
 */
export function parseLink(text: string): ApprovalLink | undefined {
  const approvalId = LINK_PATTERN.exec(text)?.[1]?.toLowerCase();
  return approvalId === undefined ? undefined : { approvalId };
}

/** Returns the link among the command-line arguments from the operating system. */
export function findLink(argv: readonly string[]): ApprovalLink | undefined {
  return argv.map(parseLink).find((link) => link !== undefined);
}
