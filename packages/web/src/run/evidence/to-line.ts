import { toOneLine } from '@countersign/inbox-ui/ui/to-one-line';
import { texts } from '../../texts/index.js';

/** Returns an untrusted text of a pack as one line; for `null`, that it is unknown or erased. */
export function toLine(text: string | null): string {
  return text === null ? texts.evidence.unknown : toOneLine(text);
}
