/** DMN decision table with one output, in the format of Camunda Modeler. */
export interface DecisionTable {
  readonly id: string;
  /** UNIQUE by default. */
  readonly hitPolicy?: string;
  /** FEEL expressions of the input columns. */
  readonly inputs: readonly string[];
  /**
   * Rules such as `> 5 | - => "high"`: one test per input, separated by `|`, then `=>` and the output. The rule ids are
   * `<id>-rule-1` and so on.
   */
  readonly rules: readonly string[];
}

/** Returns a DMN file with decision tables. */
export function decisionModel(...tables: readonly DecisionTable[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="requirements" name="Requirements" namespace="urn:countersign:test">
${tables.map(decisionXml).join('\n')}
</definitions>`;
}

/** Returns a business rule task that evaluates a DMN decision. `decisionId` may be an expression with a leading `=`. */
export function businessRuleTask(id: string, decisionId: string, resultVariable = 'result', extensions = ''): string {
  const calledDecision = `<zeebe:calledDecision decisionId="${escapeXml(decisionId)}" resultVariable="${resultVariable}" />`;
  return `<bpmn:businessRuleTask id="${id}"><bpmn:extensionElements>${calledDecision}${extensions}</bpmn:extensionElements></bpmn:businessRuleTask>`;
}

function decisionXml({ id, hitPolicy = 'UNIQUE', inputs, rules }: DecisionTable): string {
  const columns = inputs.map(
    (expression, index) =>
      `<input id="${id}-input-${index + 1}"><inputExpression id="${id}-expression-${index + 1}">${textElement(expression)}</inputExpression></input>`,
  );
  const rows = rules.map((rule, index) => {
    const [tests = '', output = ''] = rule.split('=>');
    const entries = tests
      .split('|')
      .map(
        (test, testIndex) =>
          `<inputEntry id="${id}-test-${index + 1}-${testIndex + 1}">${textElement(test.trim())}</inputEntry>`,
      );
    return `<rule id="${id}-rule-${index + 1}">${entries.join('')}<outputEntry id="${id}-entry-${index + 1}">${textElement(output.trim())}</outputEntry></rule>`;
  });
  return `<decision id="${id}" name="${id}"><decisionTable id="${id}-table" hitPolicy="${hitPolicy}">${columns.join('')}<output id="${id}-output" />${rows.join('')}</decisionTable></decision>`;
}

function textElement(content: string): string {
  return `<text>${escapeXml(content)}</text>`;
}

function escapeXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
