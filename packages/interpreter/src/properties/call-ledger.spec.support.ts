import type { AdvanceResult } from '@countersign/model';
import { assertProperty } from './violation.spec.support.js';

/** Checks the history of tool calls: every executed call was allowed or approved, and each call ends once. */
export class CallLedger {
  /** Approved digests, by approval. */
  private readonly approved = new Map<string, string>();
  private readonly ended = new Set<string>();
  /** The latest policy result (`needs`), by call. */
  private readonly needs = new Map<string, string>();

  apply({ events }: AdvanceResult): void {
    for (const { type, data } of events) {
      const text = (name: string): string => String(data[name]);
      if (type === 'approval.resolved' && data['status'] === 'approved')
        this.approved.set(text('approvalId'), text('digest'));
      if (type === 'agent.call.requested') this.needs.set(text('callId'), text('needs'));
      if (type === 'agent.call.dispatched')
        this.dispatch(
          text('callId'),
          text('tool'),
          data['approvedDigest'] === null ? null : text('approvedDigest'),
          text('approvalId'),
        );
      if (type === 'agent.call.completed' || type === 'agent.call.refused') {
        assertProperty(!this.ended.has(text('callId')), `a call of ${text('tool')} ends once`);
        this.ended.add(text('callId'));
      }
    }
  }

  private dispatch(callId: string, tool: string, digest: string | null, approvalId: string): void {
    assertProperty(!this.ended.has(callId), `a call of ${tool} is not made when it is done`);
    if (digest !== null)
      assertProperty(this.approved.get(approvalId) === digest, `a call of ${tool} is made that was approved`);
    else
      assertProperty(
        this.needs.get(callId) === 'nothing' && !['gated', 'double', 'denied', 'broken'].includes(tool),
        `a call of ${tool} is made that is allowed`,
      );
  }
}
