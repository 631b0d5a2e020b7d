import { expect } from 'chai';
import type { Loop } from '@countersign/model';
import {
  compileModel,
  element,
  evaluate,
  sequentialFlow,
  model,
  nestedScope,
  findProblemCodes,
} from './models.spec.support.js';

function loopModel(marker: string): string {
  return model(sequentialFlow(element('task', 'a', '', marker), 'a'));
}

function multiInstanceModel(content: string, attributes = ''): string {
  return loopModel(
    `<bpmn:multiInstanceLoopCharacteristics ${attributes}>${content}</bpmn:multiInstanceLoopCharacteristics>`,
  );
}

function loopExtension(attributes: string): string {
  return `<bpmn:extensionElements><zeebe:loopCharacteristics ${attributes}/></bpmn:extensionElements>`;
}

function formalExpression(name: string, expression: string): string {
  return `<bpmn:${name} xsi:type="bpmn:tFormalExpression">${expression}</bpmn:${name}>`;
}

async function readLoop<K extends Loop['kind']>(xml: string, kind: K): Promise<Extract<Loop, { readonly kind: K }>> {
  const loop = (await compileModel(xml)).nodes.get('a')?.loop;
  expect(loop?.kind).to.equal(kind);
  return loop as Extract<Loop, { readonly kind: K }>;
}

describe('loop markers of a BPMN model', () => {
  it('should compile a multi-instance marker with a collection', async () => {
    const attributes =
      'inputCollection="=items" inputElement="item" outputCollection="results" outputElement="=item * 2"';
    const loop = await readLoop(
      multiInstanceModel(
        loopExtension(attributes) + formalExpression('completionCondition', '=enough'),
        'isSequential="true"',
      ),
      'multiInstance',
    );
    expect(loop).to.deep.include({
      sequential: true,
      inputElement: 'item',
      outputCollection: 'results',
      cardinality: null,
    });
    expect(evaluate(loop.inputCollection!, { items: [1] })).to.deep.equal([1]);
    expect(evaluate(loop.outputElement!, { item: 3 })).to.equal(6);
    expect(evaluate(loop.completionCondition!, { enough: true })).to.equal(true);
  });

  it('should compile a multi-instance marker with a cardinality', async () => {
    const literalLoop = await readLoop(
      multiInstanceModel(formalExpression('loopCardinality', '3'), 'behavior="All"'),
      'multiInstance',
    );
    expect(literalLoop).to.deep.include({
      sequential: false,
      inputCollection: null,
      cardinality: { literal: '3' },
      completionCondition: null,
    });
    const dynamicLoop = await readLoop(
      multiInstanceModel(formalExpression('loopCardinality', '=n + 1')),
      'multiInstance',
    );
    expect(evaluate(dynamicLoop.cardinality!, { n: 2 })).to.equal(3);
    const feelModel = multiInstanceModel(formalExpression('loopCardinality', 'n')).replace(
      'id="definitions"',
      'id="definitions" expressionLanguage="feel"',
    );
    expect(evaluate((await readLoop(feelModel, 'multiInstance')).cardinality!, { n: 2 })).to.equal(2);
  });

  it('should compile standard loops', async () => {
    const loop = await readLoop(
      loopModel(
        `<bpmn:standardLoopCharacteristics testBefore="true" loopMaximum="3">${formalExpression('loopCondition', '=more')}</bpmn:standardLoopCharacteristics>`,
      ),
      'standard',
    );
    expect(loop).to.deep.include({ testBefore: true, maximum: { literal: '3' } });
    expect(evaluate(loop.condition!, { more: true })).to.equal(true);
    const minimalLoop = await readLoop(loopModel('<bpmn:standardLoopCharacteristics loopMaximum="2"/>'), 'standard');
    expect(minimalLoop).to.deep.include({ testBefore: false, condition: null });
  });

  it('should compile a loop marker of a sub-process without applying it to inner tasks', async () => {
    const marker = '<bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:startEvent';
    const xml = model(
      sequentialFlow(
        nestedScope('subProcess', 'a', element('task', 'in'), '', 'in').replace('<bpmn:startEvent', marker),
        'a',
      ),
    );
    expect((await readLoop(xml, 'standard')).maximum).to.deep.equal({ literal: '2' });
    expect((await compileModel(xml)).nodes.get('in')?.loop).to.equal(null);
  });

  const cardinality = formalExpression('loopCardinality', '3');
  const standardLoopModel = (attributes: string, content = ''): string =>
    loopModel(`<bpmn:standardLoopCharacteristics ${attributes}>${content}</bpmn:standardLoopCharacteristics>`);
  const invalidCases: readonly (readonly [string, string, string])[] = [
    ['multi-instance without a collection or a cardinality', multiInstanceModel(''), 'a invalid_loop'],
    [
      'a collection together with a cardinality',
      multiInstanceModel(loopExtension('inputCollection="=x"') + cardinality),
      'a invalid_loop',
    ],
    ['an input element without a collection', multiInstanceModel(loopExtension('inputElement="x"')), 'a missing_value'],
    ['a literal collection', multiInstanceModel(loopExtension('inputCollection="items"')), 'a expression_expected'],
    [
      'an input element with an invalid name',
      multiInstanceModel(loopExtension('inputCollection="=x" inputElement="a b"')),
      'a invalid_name',
    ],
    [
      'an output element without an output collection',
      multiInstanceModel(loopExtension('inputCollection="=x" outputElement="=y"')),
      'a invalid_loop',
    ],
    [
      'an output collection without an output element',
      multiInstanceModel(loopExtension('inputCollection="=x" outputCollection="y"')),
      'a invalid_loop',
    ],
    [
      'a literal output element',
      multiInstanceModel(loopExtension('inputCollection="=x" outputCollection="y" outputElement="z"')),
      'a expression_expected',
    ],
    [
      'a cardinality that is not a number',
      multiInstanceModel(formalExpression('loopCardinality', 'many')),
      'a invalid_loop',
    ],
    ['a negative cardinality', multiInstanceModel(formalExpression('loopCardinality', '-1')), 'a invalid_loop'],
    [
      'a completion condition in prose',
      multiInstanceModel(`${cardinality}<bpmn:completionCondition>enough</bpmn:completionCondition>`),
      'a informal_expression',
    ],
    [
      'a completion condition in another language',
      multiInstanceModel(
        `${cardinality}${formalExpression('completionCondition', '=x').replace('>=', ' language="javascript">=')}`,
      ),
      'a foreign_script',
    ],
    [
      'a multi-instance marker that throws an event when an instance completes',
      multiInstanceModel(cardinality, 'behavior="One"'),
      'a unsupported_property',
    ],
    [
      'a multi-instance marker that throws events on a condition',
      multiInstanceModel(
        `${cardinality}<bpmn:complexBehaviorDefinition id="cb"><bpmn:condition xsi:type="bpmn:tFormalExpression">=true</bpmn:condition></bpmn:complexBehaviorDefinition>`,
        'behavior="Complex"',
      ),
      'a unsupported_property',
    ],
    ['an input data item', multiInstanceModel(`${cardinality}<bpmn:inputDataItem id="i"/>`), 'a unsupported_property'],
    ['a loop without a condition or a maximum', standardLoopModel(''), 'a invalid_loop'],
    ['a negative maximum', standardLoopModel('loopMaximum="-1"'), 'a invalid_loop'],
    ['a maximum of zero', standardLoopModel('loopMaximum="0"'), 'a invalid_loop'],
    [
      'a literal loop condition',
      standardLoopModel('', formalExpression('loopCondition', 'more')),
      'a expression_expected',
    ],
    [
      'multi-instance extensions on a standard loop',
      standardLoopModel('loopMaximum="2"', loopExtension('inputCollection="=x"')),
      'a unsupported_extension',
    ],
    [
      'two loop markers',
      loopModel('<bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:multiInstanceLoopCharacteristics/>'),
      '- duplicate_element',
    ],
    [
      'two loop conditions',
      standardLoopModel('', formalExpression('loopCondition', '=a') + formalExpression('loopCondition', '=b')),
      '- duplicate_element',
    ],
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.include(expected);
    });
  }
});
