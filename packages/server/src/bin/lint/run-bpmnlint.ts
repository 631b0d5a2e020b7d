import type { Finding, ModelRoot } from '@countersign/bpmn/lint';
import type { RuleFactory } from 'bpmnlint';
import { createRequire } from 'node:module';
import { BPMNLINT_RULES } from './bpmnlint-rules.js';

/** Number of flow elements above which bpmnlint is skipped, because the run time of its rules is not bounded. */
export const MAX_ELEMENTS = 10_000;

const OWN_RULE_PREFIX = 'countersign';

/**
 * Runs the selected rules of bpmnlint, and passes our own findings through as the rules of a plugin, so that all
 * findings come from one linter in one form.
 */
export async function runBpmnlint(root: ModelRoot, ownFindings: readonly Finding[]): Promise<readonly Finding[]> {
  const { Linter } = await import('bpmnlint');
  const require = createRequire(import.meta.url);
  const ownRuleNames = [...new Set(ownFindings.map(({ rule }) => rule))];
  const runsBpmnlint = countElements(root) <= MAX_ELEMENTS;
  const rules = [
    ...(runsBpmnlint ? Object.keys(BPMNLINT_RULES) : []),
    ...ownRuleNames.map((rule) => `${OWN_RULE_PREFIX}/${rule}`),
  ];
  const linter = new Linter({
    config: { rules: Object.fromEntries(rules.map((rule) => [rule, 'error'])) },
    resolver: {
      resolveRule: (pkg, rule) =>
        pkg === 'bpmnlint' ? (require(`bpmnlint/rules/${rule}`) as RuleFactory) : createOwnRule(ownFindings, rule),
      resolveConfig: () => undefined,
    },
  });
  const reports = await linter.lint(root);
  const findings = Object.entries(reports).flatMap(([name, list]) => list.map((report) => toFinding(name, report)));
  if (runsBpmnlint) return findings;
  const message = `The file has more than ${MAX_ELEMENTS} elements, so the bpmnlint rules were skipped.`;
  return [...findings, { severity: 'info', rule: 'bpmnlint/not-judged', elementId: null, message }];
}

/** Creates a bpmnlint rule that reports the findings of one of our rules. */
function createOwnRule(ownFindings: readonly Finding[], name: string): RuleFactory {
  return () => ({
    check: (node, reporter) => {
      if (node.$type !== 'bpmn:Definitions') return;
      for (const { rule, severity, elementId, message } of ownFindings) {
        if (rule === name) reporter.report(elementId ?? '', message, { severity });
      }
    },
  });
}

function toFinding(
  name: string,
  report: { readonly id?: string; readonly message: string; readonly category: string; readonly severity?: unknown },
): Finding {
  const elementId = report.id === undefined || report.id === '' ? null : report.id;
  if (name.startsWith(`${OWN_RULE_PREFIX}/`)) {
    return {
      severity: report.severity === 'error' || report.severity === 'warning' ? report.severity : 'info',
      rule: name,
      elementId,
      message: report.message,
    };
  }
  const { severity, advice } = BPMNLINT_RULES[name] ?? { severity: 'info' as const, advice: '' };
  const message = report.message.replace(/\.$/, '');
  return {
    severity,
    rule: `bpmnlint/${name}`,
    elementId,
    message: `${message}. ${report.category === 'rule-error' ? 'The rule itself failed.' : advice}`,
  };
}

function countElements(root: ModelRoot): number {
  let count = 0;
  const pending: unknown[] = [root['rootElements']];
  for (let list = pending.pop(); list !== undefined; list = pending.pop()) {
    if (!Array.isArray(list)) continue;
    count += list.length;
    pending.push(...list.map((element: ModelRoot) => element['flowElements']).filter((inner) => inner !== undefined));
  }
  return count;
}
