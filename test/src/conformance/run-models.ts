import type { FieldError } from '@countersign/contract';
import { decodeXml } from './decode-xml.js';
import { CaseHost, type DeploymentCheck } from './case-host.js';
import { mapConcurrently } from './map-concurrently.js';
import type { ConstraintCase, Material } from './material.js';
import { toFailure, toRefusal, type CaseResult } from './verdict.js';

/** Number of concurrent deployments. They do not affect each other, so one host is enough. */
const MAX_CONCURRENCY = 4;

/**
 * Reasons that concern Countersign's feature set and dialect, not the rules of BPMN. A later version might deploy a
 * model that is refused only for these reasons, without detecting the violation.
 */
const UNSUPPORTED_FEATURE_CODES: ReadonlySet<string> = new Set([
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
 * Checks against rules of BPMN that the engine does not depend on. The mere presence of other warnings does not show
 * that the violation was found.
 */
const STANDARD_RULE_CODES: ReadonlySet<string> = new Set(['missing-end-event', 'message-item']);

/**
 * Deploys models that violate a rule. Right: refused as invalid, or deployed with a warning that names the element.
 * Refused: only for features that Countersign does not execute. Wrong: deployed, or refused without a location (an
 * element, or a line if the element has no id).
 */
export function runConstraints({ constraints, model }: Pick<Material, 'constraints' | 'model'>): Promise<CaseResult[]> {
  return deployAll(
    constraints,
    ({ id, rule, file, what: violation }: ConstraintCase) => ({
      id,
      group: rule,
      xml: decodeXml(model(file)),
      violation,
    }),
    ({ problems, warnings }, { violation }) => {
      if (problems === undefined) {
        if (warnings.some(({ rule, elementId }) => elementId !== null && STANDARD_RULE_CODES.has(rule)))
          return { verdict: 'right', details: [] };
        return { verdict: 'wrong', details: [`Deployed despite a violation: ${violation}.`] };
      }
      const refusal = toRefusal(problems);
      if (!problems.some(hasLocation)) return { ...refusal, verdict: 'wrong' };
      return problems.every(({ code }) => UNSUPPORTED_FEATURE_CODES.has(code))
        ? refusal
        : { ...refusal, verdict: 'right' };
    },
  );
}

/** Deploys models of other tools. Right: deployed. Refused: with reasons. Wrong: anything else. */
export function runExchanged({ exchanged, model }: Pick<Material, 'exchanged' | 'model'>): Promise<CaseResult[]> {
  return deployAll(
    exchanged,
    ({ file }) => ({ id: file, group: 'miwg', xml: decodeXml(model(file)) }),
    ({ problems }) => (problems === undefined ? { verdict: 'right', details: [] } : toRefusal(problems)),
  );
}

function hasLocation({ pointer, message }: FieldError): boolean {
  return pointer !== '' || /\(line \d+\)$/.test(message);
}

interface Model {
  readonly id: string;
  readonly group: string;
  readonly xml: string;
}

async function deployAll<T, M extends Model>(
  items: readonly T[],
  toModel: (item: T) => M,
  judge: (checked: DeploymentCheck, model: M) => Pick<CaseResult, 'verdict' | 'details'>,
): Promise<CaseResult[]> {
  const host = await CaseHost.start();
  try {
    return await mapConcurrently(items, MAX_CONCURRENCY, async (item) => {
      const model = toModel(item);
      const { id, group } = model;
      try {
        return { id, group, tier: 'core' as const, ...judge(await host.check(model.xml), model) };
      } catch (error) {
        return { id, group, tier: 'core' as const, ...toFailure(error) };
      }
    });
  } finally {
    await host.close();
  }
}
