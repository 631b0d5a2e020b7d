import type { AdvanceResult } from '@countersign/model';
import { assertProperty } from './violation.spec.support.js';

/** Checks the history of tool calls: each executed call was allowed or approved, and no call ends twice. */
export class CallLedger {
  /** Approved digests, by approval id. */
  private readonly approvedDigests = new Map<string, string>();
  private readonly endedCallIds = new Set<string>();
  /** The requirement (`needs`) from the latest policy decision, by call id. */
  private readonly needs = new Map<string, string>();

  apply({ events }: AdvanceResult): void {
    for (const { type, data } of events) {
      const getString = (name: string): string => String(data[name]);
      if (type === 'approval.resolved' && data['status'] === 'approved')
        this.approvedDigests.set(getString('approvalId'), getString('digest'));
      if (type === 'agent.call.requested') this.needs.set(getString('callId'), getString('needs'));
      if (type === 'agent.call.dispatched')
        this.checkDispatch(
          getString('callId'),
          getString('tool'),
          data['approvedDigest'] === null ? null : getString('approvedDigest'),
          getString('approvalId'),
        );
      if (type === 'agent.call.completed' || type === 'agent.call.refused') {
        assertProperty(
          !this.endedCallIds.has(getString('callId')),
          `a call of ${getString('tool')} does not end twice`,
        );
        this.endedCallIds.add(getString('callId'));
      }
    }
  }

  private checkDispatch(callId: string, tool: string, digest: string | null, approvalId: string): void {
    assertProperty(!this.endedCallIds.has(callId), `a call of ${tool} that has ended is not executed`);
    if (digest !== null)
      assertProperty(
        this.approvedDigests.get(approvalId) === digest,
        `an executed call of ${tool} has the approved digest`,
      );
    else
      assertProperty(
        this.needs.get(callId) === 'nothing' && !['gated', 'double', 'denied', 'broken'].includes(tool),
        `a call of ${tool} that is executed without an approval is allowed`,
      );
  }
}
