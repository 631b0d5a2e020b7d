import {
  APPROVAL_DECISIONS,
  type ApprovalDecision,
  DECISION_ERRORS,
  type FlowNode,
  type SequenceFlow,
  type UserTask,
} from '@countersign/model';
import type { LintContext, LintRule } from '../lint-rule.js';
import { findTakenFlows, evaluateForDecision } from './decision-conditions.js';

/**
 * Reports approval decisions without a flow. If the model handles the decision (a condition after the user task reads
 * it), it must handle every possible decision: without a flow for a decision, the run stops with an incident.
 */
export const deadEndApproval: LintRule = {
  name: 'dead-end-approval',
  check: (context) => {
    for (const node of context.graph.nodes.values()) {
      if (node.kind === 'userTask') {
        checkErrorCodes(context, node);
        if (node.loop === null) checkDecisions(context, node);
      }
      checkConditions(context, node);
    }
  },
};

function checkDecisions({ graph, report }: LintContext, task: UserTask): void {
  if (!task.approval.outcomeHandledByBpmn) {
    checkVariableName(graph, task, report);
    const isChangesRequestCaught = isCaught(graph.nodes, task, 'request_changes');
    if (task.approval.reworkStep !== null || isChangesRequestCaught) return;
    report(
      'info',
      task.id,
      'Approvers cannot request changes here: no agent step comes before this task on every path. Name the step to repeat in the property "approval.reworkStep", or evaluate the decision in a gateway.',
    );
    return;
  }
  for (const decision of APPROVAL_DECISIONS) {
    if (isCaught(graph.nodes, task, decision)) continue;
    const { stuckAt, targets } = followDecision(graph.nodes, task, decision);
    if (stuckAt !== null) {
      report(
        'error',
        task.id,
        `The approval decision "${decision}" leads nowhere: no condition of "${stuckAt}" is true for it. Add a flow for this decision, or a default flow.`,
      );
    } else if (targets.size === 1 && targets.has(task.id)) {
      report(
        'warning',
        task.id,
        `The approval decision "${decision}" leads straight back to this approval: it is requested again although nothing has changed.`,
      );
    }
  }
}

/**
 * Reports a later condition that reads a decision that no task writes: probably, the decision of this task was meant.
 */
function checkVariableName(
  { nodes, resultVariables }: LintContext['graph'],
  task: UserTask,
  report: LintContext['report'],
): void {
  for (const { id, condition } of findFollowingFlows(nodes, task)) {
    const wrongPath = condition?.reads.find(
      ([name, field]) => field === 'decision' && name !== undefined && !resultVariables.has(name),
    );
    if (wrongPath === undefined) continue;
    report(
      'warning',
      id,
      `This condition reads ${wrongPath.join('.')}, but the approval before it writes ${task.approval.resultVariable}.decision.`,
    );
  }
}

/** Returns the flows that are reachable without passing any node other than gateways. */
function findFollowingFlows(nodes: ReadonlyMap<string, FlowNode>, task: UserTask): readonly SequenceFlow[] {
  const seen = new Set<FlowNode>([task]);
  // Iterating a set includes the elements added during the iteration.
  for (const { outgoing } of seen) {
    for (const { targetId } of outgoing) {
      const target = nodes.get(targetId);
      if (target?.type.endsWith('Gateway') === true) seen.add(target);
    }
  }
  return [...seen].flatMap(({ outgoing }) => outgoing);
}

/**
 * Returns the elements that tokens reach without passing any node other than gateways. `stuckAt`: a gateway that
 * certainly has no flow to take.
 */
function followDecision(
  nodes: ReadonlyMap<string, FlowNode>,
  task: UserTask,
  decision: ApprovalDecision,
): { stuckAt: string | null; targets: ReadonlySet<string> } {
  const targets = new Set<string>();
  const seen = new Set<FlowNode>([task]);
  for (const node of seen) {
    const { flows, isStuck } = findTakenFlows(node, task.approval.resultVariable, decision);
    if (isStuck) return { stuckAt: node.id, targets };
    for (const { targetId } of flows) {
      const target = nodes.get(targetId);
      if (target?.type.endsWith('Gateway') === true) seen.add(target);
      else targets.add(targetId);
    }
  }
  return { stuckAt: null, targets };
}

function isCaught(nodes: ReadonlyMap<string, FlowNode>, task: UserTask, decision: ApprovalDecision): boolean {
  const code = DECISION_ERRORS[decision];
  return code !== null && listCaughtCodes(nodes, task).includes(code);
}

/** Returns the codes of the errors that boundary events of the task catch; `null`: any. */
function listCaughtCodes(nodes: ReadonlyMap<string, FlowNode>, task: UserTask): readonly (string | null)[] {
  return task.boundaryEvents.flatMap((id) => {
    const event = nodes.get(id);
    const triggers = event?.kind === 'boundaryEvent' ? event.triggers : [];
    return triggers.flatMap((trigger) =>
      trigger.kind !== 'error'
        ? []
        : trigger.code === null
          ? [null]
          : 'literal' in trigger.code
            ? [trigger.code.literal]
            : [],
    );
  });
}

function checkErrorCodes({ graph, report }: LintContext, task: UserTask): void {
  const approvalErrorCodes: readonly (string | null)[] = Object.values(DECISION_ERRORS);
  for (const id of task.boundaryEvents) {
    for (const code of listCaughtCodes(graph.nodes, { ...task, boundaryEvents: [id] })) {
      if (code?.startsWith('approval.') !== true || approvalErrorCodes.includes(code)) continue;
      report(
        'warning',
        id,
        `No approval throws the error "${code}": use approval.rejected or approval.changesRequested.`,
      );
    }
  }
}

/** Reports a condition that reads a decision and is false for all possible decisions. */
function checkConditions({ graph, report }: LintContext, { outgoing }: FlowNode): void {
  for (const { id, condition } of outgoing) {
    const [path] = condition?.reads ?? [];
    const variable = path?.[0];
    if (condition === null || variable === undefined || !graph.resultVariables.has(variable)) continue;
    if ([...APPROVAL_DECISIONS, null].some((decision) => evaluateForDecision(condition, variable, decision) !== false))
      continue;
    report(
      'warning',
      id,
      `This condition is never true: ${variable}.decision is "approve", "reject" or "request_changes".`,
    );
  }
}
