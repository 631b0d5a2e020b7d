import type { InboxItem } from '@countersign/contract';
import { escapeInvisible } from '../ui/escape-invisible.js';
import { hasSummary } from './describe-request.js';

/** Title of a request, and the summary that distinguishes it from others with the same title. Nothing is cut. */
export function RequestLine({ approval: { title, subject, summary } }: { readonly approval: InboxItem }) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      <strong>
        <bdi>{escapeInvisible(title)}</bdi>
      </strong>{' '}
      {hasSummary({ subject, summary }) && <bdi>{escapeInvisible(summary)}</bdi>}
    </span>
  );
}
