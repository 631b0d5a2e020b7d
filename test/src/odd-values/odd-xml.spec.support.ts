import type { SeededRandom } from '../seeded-random.spec.support.js';
import { createOddName, createOddText, createOddTime } from './odd-texts.spec.support.js';

const START = '<bpmn:startEvent id="start" />';
const END = '<bpmn:endEvent id="end" />';

type Change = (xml: string, random: SeededRandom) => string;

/** Changes that editors, generators, people and attackers may make to a BPMN file. */
const CHANGES: readonly Change[] = [
  // names and texts
  (xml, random) => replaceOnce(xml, 'name="step"', `name="${escapeAttribute(createOddText(random))}"`),
  (xml, random) => replaceOnce(xml, 'As it is.', escapeText(createOddText(random))),
  (xml, random) => replaceEvery(xml, '"step"', `"${escapeAttribute(createOddName(random))}"`),
  (xml, random) =>
    replaceOnce(xml, '<bpmn:process id="', `<bpmn:process id="${escapeAttribute(createOddName(random))}`),
  (xml, random) =>
    replaceOnce(xml, 'definitions id="', `definitions exporter="${escapeAttribute(createOddText(random))}" id="`),
  (xml, random) =>
    replaceOnce(
      xml,
      'As it is.',
      random.pick([
        '&#0;',
        '&#xD83D;',
        '&#x1F600;',
        '&#xFFFF;',
        '&#1;',
        '&nbsp;',
        '&',
        '<![CDATA[ <a>&amp; ]]>',
        ']]>',
      ]),
    ),
  // references
  (xml, random) =>
    replaceEvery(xml, 'Ref="', `Ref="${random.pick([' ', '\n', '\t', '&#10;', '&#160;', 'x:', 'bpmn:', '#'])}`),
  (xml) => replaceEvery(xml, 'id="', 'id=" '),
  (xml) => replaceOnce(xml, 'targetRef="step"', 'targetRef="nowhere"'),
  (xml) => replaceOnce(xml, 'id="ok"', 'id="step"'),
  (xml) => replaceOnce(xml, 'targetRef="end"', 'targetRef="step"'),
  // namespaces
  (xml, random) =>
    replaceEvery(xml, 'bpmn:', random.pick(['semantic:', 'b:', 'bpmn2:', '名:', 'xml:'])).replace(
      'xmlns:bpmn=',
      'xmlns:b=',
    ),
  (xml) => replaceEvery(xml, '<bpmn:', '<').replaceAll('</bpmn:', '</').replace('xmlns:bpmn=', 'xmlns='),
  (xml) => replaceOnce(xml, '20100524/MODEL', '20100524/model'),
  (xml, random) =>
    replaceOnce(
      xml,
      '<bpmn:process ',
      `<bpmn:process xmlns:odd="urn:odd" odd:attribute="${escapeAttribute(createOddText(random))}" `,
    ),
  (xml, random) =>
    replaceOnce(
      xml,
      '<bpmn:extensionElements>',
      `<bpmn:extensionElements><odd:thing xmlns:odd="urn:odd" a="${escapeAttribute(createOddText(random))}">${escapeText(createOddText(random))}<odd:empty /></odd:thing>`,
    ),
  // prolog, end and damaged markup
  (xml) => `\uFEFF${xml}`,
  (xml, random) =>
    replaceOnce(
      xml,
      'encoding="UTF-8"',
      `encoding="${random.pick(['utf-8', 'UTF-16', 'ISO-8859-1', 'windows-1252', 'nonsense'])}"`,
    ),
  (xml, random) =>
    replaceOnce(
      xml,
      '?>',
      random.pick([
        ' standalone="yes"?>',
        '?><?xml-stylesheet href="a"?>',
        '?><!-- -- -->',
        '?>\n\n<!-- a comment -->',
      ]),
    ),
  (xml, random) =>
    replaceOnce(
      xml,
      '?>',
      `?><!DOCTYPE definitions [<!ENTITY a "${random.pick(['a', '&b;&b;', '&a;'])}"><!ENTITY b SYSTEM "file:///etc/passwd">]>`,
    ),
  (xml) => replaceOnce(xml, /^<\?xml[^>]*\?>/, ''),
  (xml) => `${xml}\n<trailing/>`,
  (xml, random) => xml.slice(0, random.int(xml.length)),
  (xml, random) => {
    const cutAt = random.int(xml.length);
    return (
      xml.slice(0, cutAt) +
      random.pick(['<', '>', '"', '&', '\0', '\uFFFD', '/', ' ', '<!--', ']]>', '</bpmn:process>']) +
      xml.slice(cutAt + random.int(3))
    );
  },
  (xml, random) => {
    const tags = [...xml.matchAll(/<bpmn:[a-zA-Z]+ [^>]*\/>/g)].map(([tag]) => tag);
    return replaceOnce(xml, random.pick(tags.concat('<')), random.chance(0.5) ? '' : random.pick(tags.concat('>')));
  },
  // expressions and times
  (xml, random) => replaceOnce(xml, 'expression="=value"', `expression="=${escapeAttribute(createOddText(random))}"`),
  (xml, random) => replaceOnce(xml, 'expression="=value"', `expression="${'('.repeat(pickSize(random))}"`),
  (xml, random) =>
    replaceOnce(
      xml,
      'expression="=value"',
      `expression="=${'['.repeat(pickSize(random))}1${']'.repeat(pickSize(random))}"`,
    ),
  (xml, random) => replaceOnce(xml, 'expression="=value"', `expression="=${'1+'.repeat(pickSize(random))}1"`),
  (xml, random) =>
    replaceOnce(
      xml,
      '<bpmn:scriptTask id="step"',
      `<bpmn:boundaryEvent id="late" attachedToRef="ok" cancelActivity="false"><bpmn:timerEventDefinition><bpmn:${pickTimerKind(random, 'timeCycle')}>${escapeText(createOddTime(random))}</bpmn:${pickTimerKind(random, 'timeCycle')}></bpmn:timerEventDefinition></bpmn:boundaryEvent><bpmn:scriptTask id="step"`,
    ),
  (xml, random) =>
    replaceOnce(
      xml,
      START,
      `<bpmn:startEvent id="start"><bpmn:timerEventDefinition><bpmn:${pickTimerKind(random, 'timeDate')}>${escapeText(createOddTime(random))}</bpmn:${pickTimerKind(random, 'timeDate')}></bpmn:timerEventDefinition></bpmn:startEvent>`,
    ),
  // sizes
  (xml, random) => {
    const depth = pickSize(random);
    const [openingTags, closingTags] = ['', ''].map((_, side) =>
      Array.from({ length: depth }, (__, index) =>
        side === 0
          ? `<bpmn:subProcess id="deep-${index}"><bpmn:startEvent id="start-${index}" /><bpmn:sequenceFlow id="into-${index}" sourceRef="start-${index}" targetRef="${index + 1 < depth ? `deep-${index + 1}` : 'deepest'}" />`
          : '</bpmn:subProcess>',
      ).join(''),
    );
    return replaceOnce(xml, END, `${openingTags ?? ''}<bpmn:task id="deepest" />${closingTags ?? ''}${END}`);
  },
  (xml, random) => {
    const width = random.pick([100, 1_000, 3_000]);
    const tasks = Array.from(
      { length: width },
      (_, index) =>
        `<bpmn:task id="wide-${index}" /><bpmn:sequenceFlow id="to-${index}" sourceRef="${index === 0 ? 'ok' : `wide-${index - 1}`}" targetRef="wide-${index}" />`,
    );
    return replaceOnce(xml, END, tasks.join('') + END);
  },
  (xml, random) => replaceOnce(xml, '?>', `?><!--${'x'.repeat(random.pick([10_000, 900_000, 1_100_000]))}-->`),
  (xml, random) =>
    replaceOnce(
      xml,
      '<bpmn:process ',
      `<bpmn:process ${Array.from({ length: pickSize(random) }, (_, index) => `a${index}="x"`).join(' ')} `,
    ),
];

/** Replaces text literally, because odd texts contain dollar signs. */
function replaceOnce(xml: string, searched: string | RegExp, replacement: string): string {
  return xml.replace(searched, () => replacement);
}

function replaceEvery(xml: string, searched: string, replacement: string): string {
  return xml.replaceAll(searched, () => replacement);
}

/** Returns a BPMN file with one executable process and one to three odd changes. */
export function createOddModel(id: string, random: SeededRandom): string {
  let xml = `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions id="definitions" targetNamespace="urn:odd" xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0">
<bpmn:process id="${id}" isExecutable="true"><bpmn:documentation>As it is.</bpmn:documentation>
${START}<bpmn:scriptTask id="step" name="step"><bpmn:extensionElements><zeebe:script expression="=value" resultVariable="result" /></bpmn:extensionElements></bpmn:scriptTask><bpmn:userTask id="ok" />${END}
<bpmn:sequenceFlow id="flow-1" sourceRef="start" targetRef="step" /><bpmn:sequenceFlow id="flow-2" sourceRef="step" targetRef="ok" /><bpmn:sequenceFlow id="flow-3" sourceRef="ok" targetRef="end" />
</bpmn:process></bpmn:definitions>`;
  for (let remaining = 1 + random.int(3); remaining > 0; remaining -= 1) xml = random.pick(CHANGES)(xml, random);
  return xml;
}

/** Returns a DMN decision table with odd texts in its cells. */
export function createOddDecision(id: string, random: SeededRandom): string {
  const cell = (name: string): string =>
    `<${name} id="${name}-${random.int(1_000_000)}"><text>${escapeText(createOddCell(random))}</text></${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="requirements" name="${escapeAttribute(createOddText(random))}" namespace="urn:odd">
<decision id="${id}" name="${escapeAttribute(createOddText(random))}"><decisionTable id="table" hitPolicy="${random.pick(['UNIQUE', 'COLLECT', 'PRIORITY', 'odd'])}"><input id="input"><inputExpression id="expression"><text>${escapeText(createOddCell(random))}</text></inputExpression></input><output id="output" name="${escapeAttribute(createOddName(random))}" />
${Array.from({ length: random.int(4) }, (_, index) => `<rule id="rule-${index}">${cell('inputEntry')}${cell('outputEntry')}</rule>`).join('\n')}
</decisionTable></decision></definitions>`;
}

function createOddCell(random: SeededRandom): string {
  return random.weighted<() => string>([
    [3, () => createOddText(random)],
    [
      2,
      () =>
        random.pick([
          '-',
          'value',
          'not(value)',
          '> 1',
          '[1..',
          '1e400',
          '"a", "b"',
          '?',
          '',
          'not(?)',
          '9007199254740993',
        ]),
    ],
  ])();
}

function pickTimerKind(random: SeededRandom, usualKind: string): string {
  return random.chance(0.9) ? usualKind : random.pick(['timeDate', 'timeDuration', 'timeCycle']);
}

function pickSize(random: SeededRandom): number {
  return random.pick([10, 100, 1_000, 10_000]);
}

/** Escapes only markup characters. Characters that XML cannot contain stay unchanged. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}
