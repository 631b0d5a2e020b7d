import type { FieldError } from '@countersign/contract';
import { asUtf8 } from './as-utf-8.js';
import { CaseHost, type Checked } from './case-host.js';
import { inParallel } from './in-parallel.js';
import type { ConstraintCase, Material } from './material.js';
import { failure, refusal, type CaseResult } from './verdict.js';

/** Deployments change nothing for one another, so that one host is enough; this many come at once. */
const AT_ONCE = 4;

/**
 * Reasons that lie in what Countersign executes, and in its dialect, not in the rules of BPMN. A model that is refused for
 * these alone might be deployed by a later version, and nobody would have noticed what is wrong with it.
 */
const BESIDE_THE_POINT: ReadonlySet<string> = new Set([
  'unsupported_element',
  'unsupported_property',
  'unsupported_extension',
  'unsupported_timer',
  'several_processes',
  'no_executable_process',
  'process_not_executable',
  'missing_start_event',
  'missing_task_definition',
  'missing_correlation_key',
  'missing_script',
  'foreign_script',
  'expression_expected',
  'conditional_flow',
]);

/**
 * Checks that hold a model against a rule of BPMN that the engine could do without. Of other warnings, that there are some
 * says nothing of the rule that is broken.
 */
const RULES_OF_BPMN: ReadonlySet<string> = new Set(['missing-end-event', 'message-item']);

/**
 * Deploys models that break a rule. Right: refused as faulty, or deployed with a warning that names the element. Refused: only for what Countersign does not execute. Wrong:
 * deployed, or refused without telling the author where (an element, or a line where the element has no id).
 */
export function runConstraints({ constraints, model }: Pick<Material, 'constraints' | 'model'>): Promise<CaseResult[]> {
  return deployAll(
    constraints,
    ({ id, rule, file, what }: ConstraintCase) => ({ id, group: rule, xml: asUtf8(model(file)), what }),
    ({ problems, warnings }, { what }) => {
      if (problems === undefined) {
        if (warnings.some(({ rule, elementId }) => elementId !== null && RULES_OF_BPMN.has(rule)))
          return { verdict: 'right', details: [] };
        return { verdict: 'wrong', details: [`Deployed, although: ${what}.`] };
      }
      const refused = refusal(problems);
      if (!problems.some(saysWhere)) return { ...refused, verdict: 'wrong' };
      return problems.every(({ code }) => BESIDE_THE_POINT.has(code)) ? refused : { ...refused, verdict: 'right' };
    },
  );
}

/** Deploys models of other tools. Right: deployed. Refused: with reasons. Wrong: anything else. */
export function runExchanged({ exchanged, model }: Pick<Material, 'exchanged' | 'model'>): Promise<CaseResult[]> {
  return deployAll(
    exchanged,
    ({ file }) => ({ id: file, group: 'miwg', xml: asUtf8(model(file)) }),
    ({ problems }) => (problems === undefined ? { verdict: 'right', details: [] } : refusal(problems)),
  );
}

function saysWhere({ pointer, message }: FieldError): boolean {
  return pointer !== '' || /\(line \d+\)$/.test(message);
}

interface Model {
  readonly id: string;
  readonly group: string;
  readonly xml: string;
}

async function deployAll<T, M extends Model>(
  items: readonly T[],
  modelOf: (item: T) => M,
  judge: (checked: Checked, model: M) => Pick<CaseResult, 'verdict' | 'details'>,
): Promise<CaseResult[]> {
  const host = await CaseHost.start();
  try {
    return await inParallel(items, AT_ONCE, async (item) => {
      const model = modelOf(item);
      const { id, group } = model;
      try {
        return { id, group, tier: 'core' as const, ...judge(await host.check(model.xml), model) };
      } catch (error) {
        return { id, group, tier: 'core' as const, ...failure(error) };
      }
    });
  } finally {
    await host.close();
  }
}
