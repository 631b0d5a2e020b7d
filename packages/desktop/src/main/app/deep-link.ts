import type { ApprovalLink } from '../../common/bridge.js';
import { LINK_SCHEME } from '../../common/schemes.js';

const LINK = new RegExp(`^${LINK_SCHEME}://approvals/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$`, 'i');

/** `countersign://approvals/ID`, and nothing else: no other path, no query. Anybody can write a link, so all that it does is to open. */
export function parseLink(text: string): ApprovalLink | undefined {
  const approvalId = LINK.exec(text)?.[1]?.toLowerCase();
  return approvalId === undefined ? undefined : { approvalId };
}

/** The link among the arguments that the operating system started this application with. */
export function linkAmong(argv: readonly string[]): ApprovalLink | undefined {
  return argv.map(parseLink).find((link) => link !== undefined);
}
