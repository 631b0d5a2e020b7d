import { expect } from 'chai';
import {
  compileGraph,
  decision,
  compileDecision,
  definitions,
  evaluate,
  literal,
  findProblems,
  findProblemCodes,
  requires,
  table,
  variable,
  type Table,
} from './decisions.spec.support.js';
import { computeDecisionsDigest } from './index.js';

const LITERAL_DECISION = decision('d', literal('1'));

/** Returns the problem codes of a file whose DMN decision `d` contains the table. */
const findTableProblemCodes = (tableOptions: Table) =>
  findProblemCodes(definitions(decision('d', table(tableOptions))));

describe('compileDecisions', () => {
  it('should return the DMN decisions of a file, and the id and the name of the file', async () => {
    const graph = await compileGraph(definitions(decision('b', literal('1')) + decision('a', table({ rules: [] }))));
    expect(graph).to.include({ decisionRequirementsId: 'drd', name: 'The DRD' });
    expect(
      [...graph.decisions.values()].map(({ decisionId, decisionType }) => [decisionId, decisionType]),
    ).to.deep.equal([
      ['b', 'literalExpression'],
      ['a', 'decisionTable'],
    ]);
  });

  it('should return equal results and digests for a string and for its bytes', async () => {
    const xml = definitions(
      decision('a', literal('x * 2')) + decision('d', requires('a') + table({ inputs: ['a'], rules: ['- => a'] })),
    );
    const results = await Promise.all(
      [xml, Buffer.from(xml)].map(async (source) =>
        evaluate((await compileGraph(source)).decisions.get('d')!, { x: 2 }),
      ),
    );
    expect(results[0]).to.deep.equal(results[1]);
    expect(computeDecisionsDigest(xml))
      .to.equal(computeDecisionsDigest(Buffer.from(xml)))
      .and.match(/^sha256:[0-9a-f]{64}$/);
  });

  it('should accept descriptive elements and diagrams', async () => {
    const content = `
      <decision id="d" name="D" zeebe:unknown="1"><description>Why</description>
        <extensionElements><zeebe:versionTag value="v1"/></extensionElements>
        <question>What?</question><allowedAnswers>One</allowedAnswers>${variable('v')}
        <authorityRequirement id="ar"><requiredAuthority href="#ks"/></authorityRequirement>
        <decisionTable id="t" hitPolicy="FIRST" preferredOrientation="Rule-as-Row" outputLabel="out">
          <input id="i" label="In" biodi:width="192" modeler:x="1"><inputExpression id="ie" typeRef="date" expressionLanguage="feel"><text>x</text></inputExpression></input>
          <output id="o" name="o" typeRef="whatever"/>
          <annotation name="Note"/>
          <rule id="r"><inputEntry id="e1"><text>-</text></inputEntry><outputEntry id="e2"><text><![CDATA[1 < 2]]></text></outputEntry><annotationEntry><text>x</text></annotationEntry></rule>
        </decisionTable></decision>
      <knowledgeSource id="ks" name="Law"/><textAnnotation id="ta"><text>Hello</text></textAnnotation>
      <association id="as"><sourceRef href="#d"/><targetRef href="#ta"/></association>
      <dmndi:DMNDI><dmndi:DMNDiagram><dmndi:DMNShape id="s" dmnElementRef="d"><dc:Bounds height="80" width="180" x="1" y="2"/></dmndi:DMNShape></dmndi:DMNDiagram></dmndi:DMNDI>`;
    expect(evaluate(await compileDecision(definitions(content))).output).to.equal(true);
  });

  it('should resolve references with white space, percent-encoding or the namespace of the file', async () => {
    // given
    const requirement = (href: string): string =>
      decision(
        'd',
        `<informationRequirement id="ir"><requiredDecision href="${href}"/></informationRequirement>${literal('prüfung + 1')}`,
        'name="d"',
      );
    const requiredDecision = decision(' prüfung ', literal('2'), 'name="prüfung"');
    const namespace = /namespace="([^"]*)"/.exec(definitions(''))?.[1] ?? '';

    // then
    for (const href of ['#prüfung', ' #prüfung&#10;', '#pr%C3%BCfung', `${namespace}#prüfung`]) {
      const { decisions } = await compileGraph(definitions(requirement(href) + requiredDecision));
      expect(evaluate(decisions.get('d')!, {}).output, href).to.equal(3);
    }
    for (const href of ['http://other#prüfung', 'prüfung', '#%', '#other'])
      expect(await findProblemCodes(definitions(requirement(href) + requiredDecision)), href).to.include(
        'ir unresolved_reference',
      );
    // An empty reference is ignored.
    expect(
      evaluate((await compileGraph(definitions(requirement('')))).decisions.get('d')!, { prüfung: 1 }).output,
    ).to.equal(2);
  });

  describe('expressions', () => {
    it('should report the element and the position of each invalid expression', async () => {
      // given
      const tableOptions = {
        inputs: ['1 +'],
        inputValues: '"a" "b"',
        outputs: [{ defaultEntry: 'if' }],
        rules: ['> > 1 => 1', '- =>', '- => 1 +\n* 2'],
      };
      // when
      const problems = await findProblems(
        definitions(decision('d', table(tableOptions)) + decision('e', literal('unknown thing'))),
      );
      // then
      expect(problems.map(({ elementId, code }) => `${elementId ?? '-'} ${code}`)).to.deep.equal([
        'ie1 invalid_expression',
        'in1 invalid_expression',
        'out1 invalid_expression',
        'inputEntry-1-1 invalid_expression',
        'outputEntry-2-1 missing_expression',
        'outputEntry-3-1 invalid_expression',
        'e invalid_expression',
      ]);
      expect(problems[5]?.message).to.equal(
        'The entry of rule 3 for output "Output 1": not valid FEEL at line 2, column 1 of the expression: Unexpected \'*\'.',
      );
      expect(problems[5]?.line).to.be.above(5);
    });

    it('should refuse languages other than FEEL in the file, a DMN decision or a table entry', async () => {
      const python = 'expressionLanguage="python"';
      expect(await findProblemCodes(definitions(decision('d', literal('1', python))))).to.deep.equal([
        'd foreign_language',
      ]);
      expect(await findProblemCodes(definitions(LITERAL_DECISION, python))).to.deep.equal(['d foreign_language']);
      expect(
        await findProblemCodes(definitions(LITERAL_DECISION, 'typeLanguage="http://www.w3.org/2001/XMLSchema"')),
      ).to.deep.equal(['drd foreign_language']);
      const entry = table({ rules: ['- => 1'] }).replace('inputEntry id=', 'inputEntry expressionLanguage="juel" id=');
      expect(await findProblemCodes(definitions(decision('d', entry)))).to.include('inputEntry-1-1 foreign_language');
    });

    it('should accept all names of the FEEL language', async () => {
      for (const name of [
        'FEEL',
        'https://www.omg.org/spec/DMN/20191111/FEEL/',
        'http://www.omg.org/spec/FEEL/20140401',
        'https://www.omg.org/spec/DMN/20191111/FEEL',
        'https://www.omg.org/spec/DMN/20240513/FEEL/',
      ]) {
        expect(
          evaluate(await compileDecision(definitions(LITERAL_DECISION, `expressionLanguage="${name}"`))).output,
        ).to.equal(1);
      }
    });

    it('should refuse values that are imported from other files', async () => {
      const imported =
        '<literalExpression id="le"><text>1</text><importedValues name="n" namespace="urn:x" importType="y"/></literalExpression>';
      expect(await findProblemCodes(definitions(decision('d', imported)))).to.deep.equal(['le unsupported_property']);
      expect(
        await findProblemCodes(definitions(`<import name="n" namespace="urn:x" importType="y"/>${LITERAL_DECISION}`)),
      ).to.deep.equal(['drd unsupported_property']);
    });
  });

  describe('decision tables', () => {
    const cases: readonly (readonly [title: string, table: Table, problemCodes: readonly string[]])[] = [
      ['an unknown hit policy', { rules: [], attributes: 'hitPolicy="LAST"' }, ['t unknown_hit_policy']],
      [
        'an unknown aggregation',
        { rules: [], attributes: 'hitPolicy="COLLECT" aggregation="AVG"' },
        ['t unknown_aggregation'],
      ],
      [
        'an aggregation without COLLECT',
        { rules: [], attributes: 'hitPolicy="FIRST" aggregation="SUM"' },
        ['t misplaced_aggregation'],
      ],
      [
        'an aggregation of several outputs',
        { rules: [], outputs: [{ name: 'a' }, { name: 'b' }], attributes: 'hitPolicy="COLLECT" aggregation="SUM"' },
        ['t aggregation_of_several_outputs'],
      ],
      ['a table without outputs', { rules: [], outputs: [] }, ['t missing_output']],
      ['several outputs if one has no name', { rules: [], outputs: [{ name: 'a' }, {}] }, ['out2 missing_output_name']],
      [
        'several outputs with the same name',
        { rules: [], outputs: [{ name: 'a' }, { name: 'a' }] },
        ['out2 duplicate_name'],
      ],
      [
        'an output named `__proto__`',
        { rules: [], outputs: [{ name: 'a' }, { name: '__proto__' }] },
        ['out2 reserved_name'],
      ],
      [
        'PRIORITY without output values',
        { rules: [], attributes: 'hitPolicy="PRIORITY"' },
        ['t missing_output_values'],
      ],
      [
        'OUTPUT ORDER with empty output values',
        { rules: [], outputs: [{ values: ' ' }], attributes: 'hitPolicy="OUTPUT ORDER"' },
        ['t missing_output_values'],
      ],
      [
        'PRIORITY with a range as output values',
        { rules: [], outputs: [{ values: '[1..5]' }], attributes: 'hitPolicy="PRIORITY"' },
        ['out1 unordered_output_values'],
      ],
      [
        'PRIORITY with a comparison as output values',
        { rules: [], outputs: [{ values: '> 5' }], attributes: 'hitPolicy="PRIORITY"' },
        ['out1 unordered_output_values'],
      ],
      [
        'PRIORITY with a variable as an output value',
        { rules: [], outputs: [{ values: '"a", b' }], attributes: 'hitPolicy="PRIORITY"' },
        ['out1 unordered_output_values'],
      ],
      [
        'PRIORITY with an output value that depends on a variable',
        { rules: [], outputs: [{ values: '"a", if b = null then "c" else "d"' }], attributes: 'hitPolicy="PRIORITY"' },
        ['out1 unordered_output_values'],
      ],
      ['rules with too few entries', { inputs: ['a', 'b'], rules: ['- => 1'] }, ['r1 wrong_number_of_entries']],
      ['rules with too many entries', { rules: ['- => 1 | 2'] }, ['r1 wrong_number_of_entries']],
    ];
    for (const [title, tableOptions, problemCodes] of cases) {
      it(`should refuse ${title}`, async () => {
        expect(await findTableProblemCodes(tableOptions)).to.deep.equal(problemCodes);
      });
    }

    it('should refuse columns and rules without an id', async () => {
      const incompleteTable = table({ rules: ['- => 1'] }).replaceAll(/ id="(in1|out1|r1)"/g, '');
      expect(await findProblems(definitions(decision('d', incompleteTable)))).to.have.length(3);
      expect(new Set(await findProblemCodes(definitions(decision('d', incompleteTable))))).to.deep.equal(
        new Set(['t missing_id']),
      );
    });

    it('should refuse an input without an expression', async () => {
      expect(await findTableProblemCodes({ inputs: [''], rules: [] })).to.deep.equal(['ie1 missing_expression']);
      const incompleteTable = table({ rules: [] }).replace(/<inputExpression.*<\/inputExpression>/, '');
      expect(await findProblemCodes(definitions(decision('d', incompleteTable)))).to.deep.equal([
        'in1 missing_expression',
      ]);
    });
  });

  describe('requirements between DMN decisions', () => {
    const requiringDecision = (id: string, requiredId: string) => decision(id, requires(requiredId) + literal('1'));

    it('should refuse circular requirements and name the path of the cycle', async () => {
      const problems = await findProblems(
        definitions(
          requiringDecision('a', 'b') +
            requiringDecision('b', 'c') +
            requiringDecision('c', 'a') +
            requiringDecision('d', 'a'),
        ),
      );
      expect(problems.map(({ elementId, code }) => [elementId, code])).to.deep.equal([['a', 'circular_requirement']]);
      expect(problems[0]?.message).to.contain('a → b → c → a');
    });

    it('should refuse a DMN decision that requires itself', async () => {
      expect(await findProblemCodes(definitions(requiringDecision('a', 'a')))).to.deep.equal([
        'a circular_requirement',
      ]);
    });

    it('should refuse a requirement whose target is missing, in another file or not a DMN decision', async () => {
      expect(await findProblemCodes(definitions(requiringDecision('d', 'missing')))).to.deep.equal([
        'd unresolved_reference',
      ]);
      expect(await findProblemCodes(definitions(requiringDecision('d', 'constructor')))).to.deep.equal([
        'd unresolved_reference',
      ]);
      expect(
        await findProblemCodes(definitions(requiringDecision('d', 'i') + '<inputData id="i" name="I"/>')),
      ).to.deep.equal(['d unresolved_reference']);
      const otherNamespace = requiringDecision('d', 'x').replace('#x', 'http://example.org/other#x');
      expect(await findProblemCodes(definitions(otherNamespace))).to.deep.equal(['d unresolved_reference']);
    });

    it('should refuse two required DMN decisions with the same result name', async () => {
      const content =
        decision('a', variable('r') + literal('1')) +
        decision('b', variable('r') + literal('1')) +
        decision('d', requires('a', 'b') + literal('r'));
      expect(await findProblemCodes(definitions(content))).to.deep.equal(['d duplicate_name']);
    });

    it('should refuse a result named `__proto__`', async () => {
      expect(await findProblemCodes(definitions(decision('d', variable('__proto__') + literal('1'))))).to.deep.equal([
        'd reserved_name',
      ]);
    });
  });

  describe('unsupported parts of DMN', () => {
    const boxedExpressions: readonly (readonly [string, string])[] = [
      [
        'context',
        '<context id="l"><contextEntry><variable name="a"/><literalExpression><text>1</text></literalExpression></contextEntry></context>',
      ],
      ['invocation', '<invocation id="l"><literalExpression><text>f</text></literalExpression></invocation>'],
      [
        'list',
        '<list id="l"><literalExpression><text>1</text></literalExpression><literalExpression><text>2</text></literalExpression></list>',
      ],
      ['relation', '<relation id="l"><column name="a"/></relation>'],
      [
        'functionDefinition',
        '<functionDefinition id="l"><literalExpression><text>1</text></literalExpression></functionDefinition>',
      ],
    ];
    for (const [name, logic] of boxedExpressions) {
      it(`should refuse the boxed expression ${name}`, async () => {
        expect(await findProblemCodes(definitions(decision('d', logic)))).to.deep.equal(['l unsupported_logic']);
      });
    }

    it('should refuse boxed expressions of later DMN versions', async () => {
      expect(await findProblemCodes(definitions(decision('d', '<conditional id="l"/>')))).to.deep.equal([
        '- unknown_element',
      ]);
    });

    it('should refuse business knowledge models, decision services and custom types', async () => {
      const content = `<itemDefinition id="tSize" name="tSize"><typeRef>string</typeRef></itemDefinition>
        <businessKnowledgeModel id="bkm" name="F"/><decisionService id="ds" name="S"/>
        ${decision('d', `<knowledgeRequirement id="kr"><requiredKnowledge href="#bkm"/></knowledgeRequirement>${literal('1')}`)}`;
      expect(await findProblemCodes(definitions(content))).to.have.members([
        'drd unsupported_property',
        'bkm unsupported_element',
        'ds unsupported_element',
        'd unsupported_property',
      ]);
    });

    it('should refuse a DMN decision without logic, or a file without DMN decisions', async () => {
      expect(await findProblemCodes(definitions(decision('d', '')))).to.deep.equal(['d missing_logic']);
      expect(await findProblemCodes(definitions(''))).to.deep.equal(['- no_decision']);
    });

    it('should refuse a file or a DMN decision without an id', async () => {
      expect(await findProblemCodes(definitions(LITERAL_DECISION).replace('id="drd"', ''))).to.deep.equal([
        '- missing_id',
      ]);
      expect(await findProblemCodes(definitions(decision('d', literal('1')).replace('id="d"', '')))).to.include(
        '- missing_id',
      );
    });
  });
});
