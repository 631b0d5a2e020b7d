import type { ApprovalSubject } from '@countersign/contract';

type ToolCall = Extract<ApprovalSubject, { kind: 'tool_call' }>;

/** Returns a sentence that states whether the effect of a tool call can be undone. */
export function describeReversibility({ effect, reversible }: Pick<ToolCall, 'effect' | 'reversible'>): string {
  if (effect === 'read') return 'It only reads data.';
  return reversible ? 'This can be undone.' : 'This can’t be undone.';
}
