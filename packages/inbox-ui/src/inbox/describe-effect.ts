import type { Approval, ApprovalSubject } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { toOneLine } from '../ui/to-one-line.js';

/** Number of arguments named in the line; the decision view shows all. */
const MAX_NAMED_ARGUMENTS = 3;
const effectTexts = texts.approvals.effect;

type ApprovalSummary = Pick<Approval, 'title' | 'workflowId' | 'subject' | 'quorum'>;
type ToolCall = Extract<ApprovalSubject, { kind: 'tool_call' }>;

/**
 * Returns one line that describes the effect of approval.
 *
 * @param nextSteps names of the next steps, if the workflow is known
 */
export function describeEffect(
  { title, workflowId, subject, quorum }: ApprovalSummary,
  nextSteps: readonly string[] = [],
): string {
  const parts =
    subject.kind === 'tool_call'
      ? describeCallEffect(subject)
      : [describeTaskEffect(toOneLine(workflowId, 60), toOneLine(title, 80), nextSteps)];
  const missing = quorum.required - quorum.approvals - 1;
  return `${[...parts, ...(missing > 0 ? [effectTexts.stillNeeded(missing)] : [])].join('; ')}.`;
}

function describeTaskEffect(workflow: string, title: string, nextSteps: readonly string[]): string {
  return nextSteps.length === 0
    ? effectTexts.task(workflow, title)
    : effectTexts.taskWith(workflow, title, nextSteps.map((name) => `“${toOneLine(name, 60)}”`).join(', '));
}

function describeCallEffect({ tool, inputs, hosts, effect, reversible }: ToolCall): string[] {
  const call = effectTexts.call(toOneLine(tool, 60), formatMainArguments(inputs));
  const callWithHosts =
    hosts.length === 0 ? call : `${call} ${effectTexts.at(hosts.map((host) => toOneLine(host, 60)).join(', '))}`;
  return [
    callWithHosts,
    effect === 'read' ? effectTexts.reads : reversible ? effectTexts.reversible : effectTexts.irreversible,
  ];
}

function formatMainArguments(inputs: ToolCall['inputs']): string {
  const entries = Object.entries(inputs);
  const namedArguments = entries
    .slice(0, MAX_NAMED_ARGUMENTS)
    .map(([name, value]) => `${toOneLine(name, 30)} ${formatArgument(value)}`);
  return [
    ...namedArguments,
    ...(entries.length > MAX_NAMED_ARGUMENTS ? [effectTexts.more(entries.length - MAX_NAMED_ARGUMENTS)] : []),
  ].join(', ');
}

function formatArgument(value: unknown): string {
  return typeof value === 'string' ? `“${toOneLine(value, 40)}”` : toOneLine(JSON.stringify(value), 40);
}
