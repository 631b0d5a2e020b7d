import { type ApprovalDefinition, type FlowNode, type NodeBase, parseIsoDate, type Value } from '@countersign/model';
import { readApprovalSettings } from './approval-properties.js';
import type { CompileContext } from './compile-context.js';
import type { NodeDraft } from './scope-draft.js';
import { ACTIVITY_PROPERTIES, checkProperties } from './check-properties.js';
import type { Extensions } from './extensions.js';
import type { ElementCompilers } from './element-compiler.js';
import { readLaneGroup } from './lanes.js';
import { getString } from './moddle.js';
import { checkLength, checkPeopleNames, readValue, requireValue, splitList } from './values.js';

/**
 * Compiler of user tasks, which are approvals. `zeebe:userTask`, which distinguishes Camunda's two kinds of user tasks,
 * has no effect here.
 */
export const approvalCompilers: ElementCompilers = new Map([
  [
    'userTask',
    {
      properties: [...ACTIVITY_PROPERTIES, 'implementation'],
      extensions: ['zeebe:assignmentDefinition', 'zeebe:taskSchedule', 'zeebe:priorityDefinition', 'zeebe:ioMapping'],
      compile: compileUserTask,
    },
  ],
]);

/**
 * Compiles a user task. `outcomeHandledByBpmn` and `reworkStep` are set when the whole scope is compiled
 * (approval-flow.ts).
 */
function compileUserTask(
  context: CompileContext,
  draft: NodeDraft,
  base: NodeBase,
  extensions: Extensions,
): FlowNode | undefined {
  const candidates = readCandidates(context, draft, extensions);
  const dueDate = readDueDate(context, base.id, extensions);
  const settings = readApprovalSettings(context, base);
  const approval: ApprovalDefinition = {
    ...candidates,
    dueDate,
    priority: readPriority(context, base.id, extensions),
    ...settings,
    outcomeHandledByBpmn: false,
    reworkStep: null,
  };
  if (dueDate === null && settings.onTimeout !== 'none') {
    const message = 'Property "approval.onTimeout" has no effect without a dueDate (zeebe:taskSchedule).';
    context.problems.add(base.id, 'invalid_property', message);
  }
  checkQuorumReachable(context, base.id, approval);
  return { ...base, kind: 'userTask', approval };
}

type Candidates = Pick<ApprovalDefinition, 'assignee' | 'candidateUsers' | 'candidateGroups'>;

function readCandidates(context: CompileContext, draft: NodeDraft, extensions: Extensions): Candidates {
  const elementId = draft.id;
  const definition = extensions.get('zeebe:assignmentDefinition');
  const readField = (name: keyof Candidates): Value | null =>
    definition === undefined ? null : (readValue(context, elementId, name, getString(definition, name)) ?? null);
  const candidates = {
    assignee: readField('assignee'),
    candidateUsers: readField('candidateUsers'),
    candidateGroups: readField('candidateGroups'),
  };
  if (candidates.assignee !== null && 'literal' in candidates.assignee)
    checkLength(context, elementId, 'The assignee', candidates.assignee.literal.normalize('NFC'));
  for (const name of ['candidateUsers', 'candidateGroups'] as const) {
    const value = candidates[name];
    checkPeopleNames(context, elementId, `A name in ${name}`, value);
    // Zeebe, ZeebeExpressionValidator.isListOfCsv
    if (value === null || 'expression' in value || splitList(value.literal).every((item) => item !== '')) continue;
    const message = `${name} must be a list such as "a,b,c", but "${value.literal}" has an empty item.`;
    context.problems.add(elementId, 'invalid_list', message);
  }
  if (Object.values(candidates).some((value) => value !== null)) return candidates;
  return { ...candidates, candidateGroups: readLaneGroup(context, draft) };
}

function readDueDate(context: CompileContext, elementId: string, extensions: Extensions): Value | null {
  const schedule = extensions.get('zeebe:taskSchedule');
  if (schedule === undefined) return null;
  // followUpDate is a reminder in Camunda's task list; no engine acts on it.
  checkProperties(context, schedule, elementId, ['dueDate', 'followUpDate']);
  const value = readValue(context, elementId, 'dueDate', getString(schedule, 'dueDate')) ?? null;
  if (value !== null && 'literal' in value && parseIsoDate(value.literal) === undefined) {
    const message = `dueDate "${value.literal}" is not a date with time and offset (for example 2026-11-21T12:00:00Z); FEEL starts with "=".`;
    context.problems.add(elementId, 'invalid_date', message);
  }
  return value;
}

/** Reads the priority. Zeebe: 0 to 100, default 50. */
function readPriority(context: CompileContext, elementId: string, extensions: Extensions): Value | null {
  const definition = extensions.get('zeebe:priorityDefinition');
  if (definition === undefined) return null;
  const value = requireValue(context, elementId, 'priority', getString(definition, 'priority')) ?? null;
  if (value !== null && 'literal' in value && !/^(?:\d|[1-9]\d|100)$/.test(value.literal)) {
    context.problems.add(
      elementId,
      'invalid_priority',
      `priority must be a whole number from 0 to 100 or FEEL, not "${value.literal}".`,
    );
  }
  return value;
}

/** Records a quorum that can never be reached, because it exceeds the number of candidate users. */
function checkQuorumReachable(context: CompileContext, elementId: string, approval: ApprovalDefinition): void {
  const { assignee, candidateGroups, candidateUsers, quorum } = approval;
  if (assignee !== null || candidateGroups !== null || candidateUsers === null) return;
  if ('expression' in candidateUsers || 'expression' in quorum) return;
  const candidateCount = new Set(splitList(candidateUsers.literal)).size;
  if (Number(quorum.literal) <= candidateCount) return;
  const message = `The quorum of ${quorum.literal} cannot be reached by ${candidateCount} candidate users.`;
  context.problems.add(elementId, 'quorum_unreachable', message);
}
