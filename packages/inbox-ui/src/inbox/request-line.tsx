import type { Approval } from '@countersign/contract';
import { toOneLine } from '../ui/to-one-line.js';
import { describeRequest } from './describe-request.js';

/** Title of a request, and what distinguishes it from others with the same title. Nothing is cut. */
export function RequestLine({ approval }: { readonly approval: Approval }) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      <strong>
        <bdi>{toOneLine(approval.title, 300)}</bdi>
      </strong>{' '}
      <bdi>{describeRequest(approval)}</bdi>
    </span>
  );
}
