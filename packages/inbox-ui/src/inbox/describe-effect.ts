import type { InboxItem } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

/** Longer than any summary of arguments (`summarizeArguments`). */
const MAX_ARGUMENTS_LENGTH = 300;
const effectTexts = texts.requestEffect;

type DescribedApproval = Pick<InboxItem, 'title' | 'summary' | 'workflowId' | 'subject' | 'quorum'>;
type ToolCall = Extract<InboxItem['subject'], { kind: 'tool_call' }>;

/**
 * Returns one line that describes the action to approve.
 *
 * @param nextSteps names of the next steps, if the workflow is known
 */
export function describeEffect(
  { title, summary, workflowId, subject, quorum }: DescribedApproval,
  nextSteps: readonly string[] = [],
): string {
  const missing = quorum.required - quorum.approvals - 1;
  const condition = missing > 0 ? `, ${effectTexts.stillNeeded(missing)}` : '';
  return subject.kind === 'tool_call'
    ? `${describeCall(subject, summary)}${condition}. ${describeReversibility(subject)}`
    : `${describeTaskEffect(toOneLine(workflowId, 60), toOneLine(title, 80), nextSteps)}${condition}.`;
}

function describeTaskEffect(workflow: string, title: string, nextSteps: readonly string[]): string {
  return nextSteps.length === 0
    ? effectTexts.task(workflow, title)
    : effectTexts.taskWith(workflow, nextSteps.map((name) => `“${toOneLine(name, 60)}”`).join(', '));
}

function describeCall({ tool, hosts }: ToolCall, summary: string): string {
  const mainArguments = toOneLine(summary, MAX_ARGUMENTS_LENGTH);
  return [
    effectTexts.call(toOneLine(tool, 60)),
    ...(hosts.length === 0 ? [] : [effectTexts.onHosts(hosts.map((host) => toOneLine(host, 60)).join(', '))]),
    ...(mainArguments === '' ? [] : [effectTexts.withArguments(mainArguments)]),
  ].join(' ');
}

function describeReversibility({ effect, reversible }: ToolCall): string {
  if (effect === 'read') return effectTexts.reads;
  return reversible ? effectTexts.reversible : effectTexts.irreversible;
}
