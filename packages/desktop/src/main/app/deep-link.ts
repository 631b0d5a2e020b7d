import type { ItemLink } from '../../common/bridge.js';
import { LINK_SCHEME } from '../../common/schemes.js';

const LINK_PATTERN = new RegExp(
  `^${LINK_SCHEME}://approvals/(questions/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?$`,
  'i',
);

/**
 * Parses a link of the form `countersign://approvals/ID` or `countersign://approvals/questions/ID`; links with any other
 * path or with a query are refused. Anyone can create a link, so a link only displays an approval or a question.
 */
export function parseLink(url: string): ItemLink | undefined {
  const [, questionPath, itemId] = LINK_PATTERN.exec(url) ?? [];
  if (itemId === undefined) return undefined;
  const id = itemId.toLowerCase();
  return questionPath === undefined ? { approvalId: id } : { questionId: id };
}

/** Returns the first valid link among the command-line arguments. */
export function findLink(argv: readonly string[]): ItemLink | undefined {
  return argv.map(parseLink).find((link) => link !== undefined);
}
