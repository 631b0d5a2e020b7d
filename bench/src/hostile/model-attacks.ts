const joinRepeated = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join('');

function definitionsXml(content: string, head = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${head}<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" id="d" targetNamespace="t">${content}</bpmn:definitions>`;
}

function processXml(content: string, head = ''): string {
  return definitionsXml(
    `<bpmn:process id="p" isExecutable="true"><bpmn:startEvent id="s"/>${content}</bpmn:process>`,
    head,
  );
}

/** Returns a BPMN model with a chain of `count` nodes. */
function chainXml(count: number, node: (id: string) => string): string {
  return processXml(
    joinRepeated(
      count,
      (n) =>
        `${node(`t${n}`)}<bpmn:sequenceFlow id="f${n}" sourceRef="${n === 0 ? 's' : `t${n - 1}`}" targetRef="t${n}"/>`,
    ),
  );
}

/** Returns a BPMN model with one script task. */
export function buildScriptModel(expression: string): string {
  const escaped = expression.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  return chainXml(
    1,
    (id) =>
      `<bpmn:scriptTask id="${id}"><bpmn:extensionElements><zeebe:script expression="=${escaped}" resultVariable="r"/></bpmn:extensionElements></bpmn:scriptTask>`,
  );
}

/** BPMN models designed to be slow, by kind of attack. */
export const MODEL_ATTACKS: Readonly<Record<string, string>> = {
  'an entity bomb': processXml(
    '',
    `<!DOCTYPE d [<!ENTITY a "aaaa">${joinRepeated(20, (n) => `<!ENTITY b${n} "&a;&a;&a;&a;&a;&a;&a;&a;">`)}]>`,
  ),
  '100,000 nested elements': processXml('<bpmn:subProcess>'.repeat(100_000) + '</bpmn:subProcess>'.repeat(100_000)),
  '63,000 elements': processXml(
    joinRepeated(
      7,
      () => `<bpmn:task><bpmn:extensionElements>${'<x/>'.repeat(9_000)}</bpmn:extensionElements></bpmn:task>`,
    ),
  ),
  '19,000 tasks': processXml(joinRepeated(19_000, (n) => `<bpmn:manualTask id="t${n}"/>`)),
  '9,900 unreachable tasks': processXml(joinRepeated(9_900, (n) => `<bpmn:manualTask id="t${n}"/>`)),
  '9,900 flows between missing elements': processXml(
    joinRepeated(9_900, (n) => `<bpmn:sequenceFlow id="f${n}" sourceRef="x${n}" targetRef="y${n}"/>`),
  ),
  '9,900 elements with the same id': processXml('<bpmn:task id="a"/>'.repeat(9_900)),
  'an attribute of 5 MB': processXml(`<bpmn:task id="a" name="${'x'.repeat(5_000_000)}"/>`),
  'an attribute with 4 MB of line breaks': processXml(`<bpmn:task id="a" name="${'\n'.repeat(4_000_000)}"/>`),
  '4,900 tasks in a row': chainXml(4_900, (id) => `<bpmn:manualTask id="${id}"/>`),
  '4,900 approvals in a row': chainXml(4_900, (id) => `<bpmn:userTask id="${id}"/>`),
  '9,000 processes that call themselves': definitionsXml(
    joinRepeated(
      9_000,
      (n) =>
        `<bpmn:process id="p${n}" isExecutable="true"><bpmn:startEvent id="s${n}"/><bpmn:callActivity id="c${n}" calledElement="p${n}"/><bpmn:sequenceFlow id="f${n}" sourceRef="s${n}" targetRef="c${n}"/></bpmn:process>`,
    ),
  ),
};

/** FEEL expressions designed to be slow. */
export const FEEL_ATTACKS: readonly string[] = [
  'for i in 1..10000000 return i',
  'for i in 1..1000, j in 1..1000, k in 1..1000 return i',
  'some i in 1..99999, j in 1..99999 satisfies false',
  'for i in 10000000000000000..10000000000000010 return i',
  'matches(string join(for i in 1..20000 return "a"), "(a|aa)+$b")',
  'for i in 1..9999 return matches("a", "a" + string(i))',
  'matches("a", string join(for i in 1..2000 return "a"))',
  'distinct values(for i in 1..20000 return [i])',
  'for i in 1..90000 return date and time(now(), "Europe/Paris")',
  '{f: function(n) f(n + 1), r: f(0)}.r',
  '{f: function(s, n) if n = 0 then s else f(s + s, n - 1), r: f("aaaa", 50)}.r',
  '{f: function(s, n) if n = 0 then s else f([s, s], n - 1), r: f([1], 50)}.r',
];
