import type { Approval, ApprovalSubject } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { oneLine } from '../ui/one-line.js';

/** Number of arguments named in the line; the decision view shows all. */
const MAIN_ARGUMENTS = 3;
const words = texts.approvals.effect;

type Asked = Pick<Approval, 'title' | 'workflowId' | 'subject' | 'quorum'>;
type ToolCall = Extract<ApprovalSubject, { kind: 'tool_call' }>;

/**
 * Returns one line that describes the effect of approval.
 *
 * @param follows names of the next steps, if the workflow is known
 */
export function effectOfApproval(
  { title, workflowId, subject, quorum }: Asked,
  follows: readonly string[] = [],
): string {
  const parts =
    subject.kind === 'tool_call'
      ? effectOfCall(subject)
      : [effectOfTask(oneLine(workflowId, 60), oneLine(title, 80), follows)];
  const missing = quorum.required - quorum.approvals - 1;
  return `${[...parts, ...(missing > 0 ? [words.stillNeeded(missing)] : [])].join('; ')}.`;
}

function effectOfTask(workflow: string, title: string, follows: readonly string[]): string {
  return follows.length === 0
    ? words.task(workflow, title)
    : words.taskWith(workflow, title, follows.map((name) => `“${oneLine(name, 60)}”`).join(', '));
}

function effectOfCall({ tool, inputs, hosts, effect, reversible }: ToolCall): string[] {
  const call = words.call(oneLine(tool, 60), mainArguments(inputs));
  const at = hosts.length === 0 ? call : `${call} ${words.at(hosts.map((host) => oneLine(host, 60)).join(', '))}`;
  return [at, effect === 'read' ? words.reads : reversible ? words.reversible : words.irreversible];
}

function mainArguments(inputs: ToolCall['inputs']): string {
  const entries = Object.entries(inputs);
  const named = entries.slice(0, MAIN_ARGUMENTS).map(([name, value]) => `${oneLine(name, 30)} ${asWords(value)}`);
  return [...named, ...(entries.length > MAIN_ARGUMENTS ? [words.more(entries.length - MAIN_ARGUMENTS)] : [])].join(
    ', ',
  );
}

function asWords(value: unknown): string {
  return typeof value === 'string' ? `“${oneLine(value, 40)}”` : oneLine(JSON.stringify(value), 40);
}
