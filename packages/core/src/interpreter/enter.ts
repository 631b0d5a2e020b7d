import type { ElementInstance } from '../domain/run-state.js';
import type { FlowNode } from '../domain/workflow-graph.js';
import { MAX_ELEMENTS_PER_COMMAND, MAX_STEPS_PER_COMMAND, MAX_WRITTEN_PER_COMMAND, type Execution } from './execution.js';
import { asStepFailure, raiseIncident, StepFailure } from './incidents.js';
import { createInstance, decisionData, recordRisk, startedData } from './steps.js';
import { leaveLater } from './tokens.js';
import { applyMappings, scopeOf, setLocal } from './variables.js';
import { decide } from './decide-policy.js';
import { enterCatch } from './elements/catch.js';
import { enterEndEvent } from './elements/end-event.js';
import { offerJob } from './elements/job-task.js';
import { arriveAtJoin } from './elements/parallel-gateway.js';
import { evaluateScript } from './elements/script-task.js';
import { requestApproval } from './elements/user-task.js';

/** A token arrives at a node. */
export function enter(execution: Execution, node: FlowNode, scope: number, via: string | null): void {
  if (node.kind === 'parallelGateway' && !arriveAtJoin(execution, node, scope, via)) return;
  execution.entries += 1;
  const instance = createInstance(execution, node, scope);
  activate(execution, node, instance, via);
}

/** Does what a node does on entry; a recovery of an incident in this phase calls it again. */
export function activate(execution: Execution, node: FlowNode, entered: ElementInstance, via: string | null): void {
  const started = startedData(node, entered, via);
  let announced = false;
  try {
    refuseEndlessWork(execution);
    const local = applyMappings(node.inputs, (written) => scopeOf(execution, entered, written));
    const instance = setLocal(execution, entered, local);
    if (node.type.endsWith('ask')) {
      const decision = decide(execution, node, instance);
      execution.emit('step.started', instance, { ...started, policyDecision: decisionData(decision) });
      announced = true;
      recordRisk(execution, instance, decision);
      if (decision.decision !== 'allow' && !(node.kind === 'userTask' && decision.decision === 'require_approval')) {
        throw new StepFailure('policy_denied', deniedMessage(decision.decision, decision.rationale));
      }
      begin(execution, node, instance, decision);
      return;
    }
    if (node.kind === 'catch') {
      execution.emit('step.started', instance, started);
      announced = true;
    }
    begin(execution, node, instance, null);
  } catch (error) {
    const failure = asStepFailure(error);
    const instance = execution.get(entered.key);
    if (!announced) execution.emit('step.started', instance, started);
    raiseIncident(execution, instance, failure, 'enter');
  }
}

/** What one command may do is bounded, since all others wait for it. A recovery goes on from here. */
function refuseEndlessWork({ entries, meter, written }: Execution): void {
  if (entries > MAX_ELEMENTS_PER_COMMAND) {
    throw new StepFailure(
      'element_limit_exceeded',
      `One command entered more than ${MAX_ELEMENTS_PER_COMMAND} elements: the model loops without waiting.`,
    );
  }
  if (meter.steps > MAX_STEPS_PER_COMMAND || written > MAX_WRITTEN_PER_COMMAND) {
    throw new StepFailure(
      'work_limit_exceeded',
      'The expressions of one command took too much work, or made too much data. Let the model wait or hand out a job in between.',
    );
  }
}

function deniedMessage(decision: string, rationale: string): string {
  return decision === 'deny'
    ? `The policy denies this step: ${rationale}`
    : `The policy asks for an approval of this step itself, and the model has none in front of it: ${rationale}`;
}

function begin(
  execution: Execution,
  node: FlowNode,
  instance: ElementInstance,
  decision: ReturnType<typeof decide> | null,
): void {
  switch (node.kind) {
    case 'jobTask':
      offerJob(execution, node, instance, decision);
      return;
    case 'userTask':
      if (decision !== null) requestApproval(execution, node, instance, decision);
      return;
    case 'catch':
      enterCatch(execution, node, instance);
      return;
    case 'scriptTask':
      leaveLater(execution, instance, evaluateScript(execution, node, instance));
      return;
    case 'endEvent':
      enterEndEvent(execution, node, instance);
      return;
    case 'startEvent':
    case 'passTask':
    case 'exclusiveGateway':
    case 'parallelGateway':
    case 'inclusiveGateway':
      leaveLater(execution, instance, null);
      return;
  }
}
