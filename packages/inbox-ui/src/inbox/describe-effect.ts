import type { Approval, ApprovalSubject } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

/** Number of arguments named in the line; the decision view shows all. */
const MAX_NAMED_ARGUMENTS = 3;
const effectTexts = texts.approvals.effect;

type ApprovalSummary = Pick<Approval, 'title' | 'workflowId' | 'subject' | 'quorum'>;
type ToolCall = Extract<ApprovalSubject, { kind: 'tool_call' }>;

/**
 * Returns one line that describes the action to approve.
 *
 * @param nextSteps names of the next steps, if the workflow is known
 */
export function describeEffect(
  { title, workflowId, subject, quorum }: ApprovalSummary,
  nextSteps: readonly string[] = [],
): string {
  const missing = quorum.required - quorum.approvals - 1;
  const condition = missing > 0 ? `, ${effectTexts.stillNeeded(missing)}` : '';
  return subject.kind === 'tool_call'
    ? `${describeCall(subject)}${condition}. ${describeReversibility(subject)}`
    : `${describeTaskEffect(toOneLine(workflowId, 60), toOneLine(title, 80), nextSteps)}${condition}.`;
}

function describeTaskEffect(workflow: string, title: string, nextSteps: readonly string[]): string {
  return nextSteps.length === 0
    ? effectTexts.task(workflow, title)
    : effectTexts.taskWith(workflow, nextSteps.map((name) => `“${toOneLine(name, 60)}”`).join(', '));
}

function describeCall({ tool, inputs, hosts }: ToolCall): string {
  const mainArguments = formatMainArguments(inputs);
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

function formatMainArguments(inputs: ToolCall['inputs']): string {
  const entries = Object.entries(inputs);
  const namedArguments = entries
    .slice(0, MAX_NAMED_ARGUMENTS)
    .map(([name, value]) => `${toOneLine(name, 30)}: ${formatArgument(value)}`);
  return [
    ...namedArguments,
    ...(entries.length > MAX_NAMED_ARGUMENTS ? [effectTexts.more(entries.length - MAX_NAMED_ARGUMENTS)] : []),
  ].join(', ');
}

function formatArgument(value: unknown): string {
  return typeof value === 'string' ? `“${toOneLine(value, 40)}”` : toOneLine(JSON.stringify(value), 40);
}
