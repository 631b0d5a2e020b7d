import { compileWorkflows } from '../compile-workflow.js';
import { element, flow, serviceTask, model, userTask } from '../models.spec.support.js';
import type { Finding } from './finding.js';
import { lintWorkflows, type LintOptions } from './lint-workflows.js';

const ELEMENT_TYPES: Readonly<Record<string, string>> = {
  x: 'exclusiveGateway',
  p: 'parallelGateway',
  i: 'inclusiveGateway',
  c: 'complexGateway',
  e: 'endEvent',
};

/**
 * Builds a process from arrows: `a > b`, or `a > b: condition`. The id of an element determines its type: `x1` is an
 * exclusive gateway, `p1` a parallel, `i1` an inclusive, `c1` a complex gateway, `e1` an end event, `start` the start
 * event, `ask…` a user task, and any other id a job. `extraElements` defines further elements, whose ids are in
 * `declaredIds`. If an exclusive or inclusive gateway has several outgoing flows, the flow without a condition is its
 * default flow.
 */
export function buildModel(
  arrows: readonly string[],
  extraElements = '',
  declaredIds: readonly string[] = [],
  root = '',
): string {
  const flows = arrows.map((arrow) => {
    const [, from = '', to = '', condition] = /^(\w+) > (\w+)(?:: (.*))?$/.exec(arrow) ?? [];
    return { from, to, condition };
  });
  const ids = [...new Set(flows.flatMap(({ from, to }) => [from, to]))].filter((id) => !declaredIds.includes(id));
  const nodes = ids.map((id) => {
    const kind =
      id === 'start'
        ? 'startEvent'
        : id.startsWith('ask')
          ? 'userTask'
          : /^[xpice]\d*$/.test(id)
            ? (ELEMENT_TYPES[id.charAt(0)] ?? '')
            : 'job';
    if (kind === 'job') return serviceTask(id);
    if (kind === 'userTask') return userTask(id);
    const outgoing = flows.filter(({ from }) => from === id);
    const unconditional = outgoing.find(({ condition }) => condition === undefined);
    const isChoice = kind === 'exclusiveGateway' || kind === 'inclusiveGateway';
    return element(
      kind,
      id,
      '',
      '',
      isChoice && outgoing.length > 1 && unconditional !== undefined ? `default="${id}-${unconditional.to}"` : '',
    );
  });
  return model(
    `${nodes.join('')}${extraElements}${flows.map(({ from, to, condition }) => flow(from, to, condition)).join('')}`,
    root,
  );
}

/** Returns all findings of a BPMN model. */
export async function lint(xml: string, options: Partial<LintOptions> = {}): Promise<readonly Finding[]> {
  return lintWorkflows(await compileWorkflows(xml), { now: 0, ...options });
}

/** Returns `severity element` for each finding of a rule. */
export async function lintWithRule(rule: string, xml: string, options: Partial<LintOptions> = {}): Promise<string[]> {
  const findings = await lint(xml, options);
  return findings
    .filter((finding) => finding.rule === rule)
    .map(({ severity, elementId }) => `${severity} ${elementId ?? '-'}`);
}

/** Returns the messages of all findings of a rule. */
export async function findMessages(rule: string, xml: string): Promise<string[]> {
  return (await lint(xml)).filter((finding) => finding.rule === rule).map(({ message }) => message);
}

/** Returns a boundary timer event of the activity `host`. An arrow of the model must define its outgoing flow. */
export function boundaryTimer(id: string, host: string, interrupting: boolean): string {
  const duration =
    '<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT1H</bpmn:timeDuration></bpmn:timerEventDefinition>';
  return `<bpmn:boundaryEvent id="${id}" attachedToRef="${host}" cancelActivity="${String(interrupting)}">${duration}</bpmn:boundaryEvent>`;
}
