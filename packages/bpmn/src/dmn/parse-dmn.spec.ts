import { expect } from 'chai';
import { decision, definitions, literal, findProblems, findProblemCodes, table } from './decisions.spec.support.js';

const LITERAL_DECISION = decision('d', literal('1'));

describe('parseDmn', () => {
  it('should refuse a DOCTYPE or a custom entity', async () => {
    const entityBomb = '<!DOCTYPE b [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
    expect(await findProblemCodes(definitions(LITERAL_DECISION).replace('?>', `?>${entityBomb}`))).to.deep.equal([
      '- doctype_refused',
    ]);
    expect(await findProblemCodes(definitions(decision('d', literal('1').replace('>1<', '>&b;<'))))).to.deep.equal([
      '- malformed_xml',
    ]);
  });

  it('should refuse deep nesting, too many elements and too many bytes', async () => {
    const deepLogic = '<context>'.repeat(50_000) + '</context>'.repeat(50_000);
    const wideLogic = table({ rules: [] }).replace('</decisionTable>', `${'<rule/>'.repeat(20_001)}</decisionTable>`);
    for (const logic of [deepLogic, wideLogic, `<!--${'x'.repeat(4 * 1024 * 1024)}-->`]) {
      expect(await findProblemCodes(definitions(decision('d', logic)))).to.deep.equal(['- model_too_large']);
    }
  });

  it('should stop reading after 100 unknown elements', async () => {
    const unknownElements = Array.from({ length: 5_000 }, (_, n) => `<nonsense${n}/>`).join('\n');
    expect(await findProblems(definitions(decision('d', unknownElements)))).to.have.length(101);
  });

  it('should refuse bytes that are not UTF-8', async () => {
    expect(
      await findProblemCodes(Buffer.from(definitions(LITERAL_DECISION).replace('The DRD', 'Prüfung'), 'latin1')),
    ).to.deep.equal(['- unsupported_encoding']);
  });

  it('should refuse expressions that are nested too deeply', async () => {
    const nestedExpression = `${'('.repeat(10_000)}1${')'.repeat(10_000)}`;
    expect(await findProblemCodes(definitions(decision('d', literal(nestedExpression))))).to.deep.equal([
      'd invalid_expression',
    ]);
  });

  it('should refuse a BPMN file and name the supported DMN version', async () => {
    const bpmn = '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="x"/>';
    const [problem] = await findProblems(bpmn);
    expect(problem?.code).to.equal('not_dmn');
    expect(problem?.message).to.contain('DMN 1.3');
  });

  for (const version of [
    'http://www.omg.org/spec/DMN/20151101/dmn.xsd',
    'http://www.omg.org/spec/DMN/20180521/MODEL/',
    'https://www.omg.org/spec/DMN/20211108/MODEL/',
    'https://www.omg.org/spec/DMN/20230324/MODEL/',
  ]) {
    it(`should refuse the DMN version ${version}`, async () => {
      const xml = definitions(LITERAL_DECISION).replace('https://www.omg.org/spec/DMN/20191111/MODEL/', version);
      expect(await findProblemCodes(xml)).to.deep.equal(['- not_dmn']);
    });
  }

  it('should refuse unknown elements and attributes in DMN namespaces', async () => {
    expect(await findProblemCodes(definitions(decision('d', literal('1'), 'nonsense="1"')))).to.deep.equal([
      'd unknown_attribute',
    ]);
    expect(await findProblemCodes(definitions(decision('d', `<nonsense/>${literal('1')}`)))).to.deep.equal([
      '- unknown_element',
    ]);
  });

  it('should refuse duplicate and reserved ids', async () => {
    expect(await findProblemCodes(definitions(LITERAL_DECISION + LITERAL_DECISION))).to.include('d duplicate_id');
    expect(await findProblemCodes(definitions(decision('constructor', literal('1'))))).to.deep.equal([
      'constructor reserved_id',
    ]);
  });

  const duplicateCases: readonly (readonly [title: string, logic: string])[] = [
    ['two boxed expressions', `${literal('1')}<decisionTable id="t"/>`],
    ['two variables', `<variable name="a"/><variable name="b"/>${literal('1')}`],
    ['two texts', '<literalExpression id="le"><text>1</text><text>2</text></literalExpression>'],
    [
      'two required elements in one requirement',
      `<informationRequirement><requiredDecision href="#a"/><requiredInput href="#b"/></informationRequirement>${literal('1')}`,
    ],
    [
      'two expressions of an input',
      '<decisionTable id="t"><input id="i"><inputExpression><text>1</text></inputExpression><inputExpression/></input></decisionTable>',
    ],
    [
      'two defaults of an output',
      '<decisionTable id="t"><output id="i"><defaultOutputEntry/><defaultOutputEntry/></output></decisionTable>',
    ],
  ];
  for (const [title, logic] of duplicateCases) {
    it(`should refuse duplicate elements: ${title}`, async () => {
      expect(await findProblemCodes(definitions(decision('d', logic)))).to.deep.equal(['- duplicate_element']);
    });
  }
});
