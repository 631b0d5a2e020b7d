import { expect } from 'chai';
import type { Loop } from '@countersign/model';
import { compiled, element, evaluate, line, model, nested, refusalsOf } from './models.spec.support.js';

function looped(marker: string): string {
  return model(line(element('task', 'a', '', marker), 'a'));
}

function many(content: string, attributes = ''): string {
  return looped(
    `<bpmn:multiInstanceLoopCharacteristics ${attributes}>${content}</bpmn:multiInstanceLoopCharacteristics>`,
  );
}

function collection(attributes: string): string {
  return `<bpmn:extensionElements><zeebe:loopCharacteristics ${attributes}/></bpmn:extensionElements>`;
}

function formal(name: string, text: string): string {
  return `<bpmn:${name} xsi:type="bpmn:tFormalExpression">${text}</bpmn:${name}>`;
}

async function loopOf<K extends Loop['kind']>(xml: string, kind: K): Promise<Extract<Loop, { readonly kind: K }>> {
  const loop = (await compiled(xml)).nodes.get('a')?.loop;
  expect(loop?.kind).to.equal(kind);
  return loop as Extract<Loop, { readonly kind: K }>;
}

describe('loop markers of a BPMN model', () => {
  it('should compile a multi-instance marker with a collection', async () => {
    const attributes =
      'inputCollection="=items" inputElement="item" outputCollection="results" outputElement="=item * 2"';
    const loop = await loopOf(
      many(collection(attributes) + formal('completionCondition', '=enough'), 'isSequential="true"'),
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
    const literal = await loopOf(many(formal('loopCardinality', '3'), 'behavior="All"'), 'multiInstance');
    expect(literal).to.deep.include({
      sequential: false,
      inputCollection: null,
      cardinality: { literal: '3' },
      completionCondition: null,
    });
    const dynamic = await loopOf(many(formal('loopCardinality', '=n + 1')), 'multiInstance');
    expect(evaluate(dynamic.cardinality!, { n: 2 })).to.equal(3);
    const feel = many(formal('loopCardinality', 'n')).replace(
      'id="definitions"',
      'id="definitions" expressionLanguage="feel"',
    );
    expect(evaluate((await loopOf(feel, 'multiInstance')).cardinality!, { n: 2 })).to.equal(2);
  });

  it('should compile standard loops', async () => {
    const loop = await loopOf(
      looped(
        `<bpmn:standardLoopCharacteristics testBefore="true" loopMaximum="3">${formal('loopCondition', '=more')}</bpmn:standardLoopCharacteristics>`,
      ),
      'standard',
    );
    expect(loop).to.deep.include({ testBefore: true, maximum: { literal: '3' } });
    expect(evaluate(loop.condition!, { more: true })).to.equal(true);
    const bare = await loopOf(looped('<bpmn:standardLoopCharacteristics loopMaximum="2"/>'), 'standard');
    expect(bare).to.deep.include({ testBefore: false, condition: null });
  });

  it('should compile a loop marker of a sub-process without applying it to inner tasks', async () => {
    const marker = '<bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:startEvent';
    const xml = model(
      line(nested('subProcess', 'a', element('task', 'in'), '', 'in').replace('<bpmn:startEvent', marker), 'a'),
    );
    expect((await loopOf(xml, 'standard')).maximum).to.deep.equal({ literal: '2' });
    expect((await compiled(xml)).nodes.get('in')?.loop).to.equal(null);
  });

  const cardinality = formal('loopCardinality', '3');
  const standard = (attributes: string, content = ''): string =>
    looped(`<bpmn:standardLoopCharacteristics ${attributes}>${content}</bpmn:standardLoopCharacteristics>`);
  const refused: readonly (readonly [string, string, string])[] = [
    ['multi-instance without a collection or a cardinality', many(''), 'a invalid_loop'],
    [
      'a collection together with a cardinality',
      many(collection('inputCollection="=x"') + cardinality),
      'a invalid_loop',
    ],
    ['an input element without a collection', many(collection('inputElement="x"')), 'a missing_value'],
    ['a literal collection', many(collection('inputCollection="items"')), 'a expression_expected'],
    [
      'an input element with an invalid name',
      many(collection('inputCollection="=x" inputElement="a b"')),
      'a invalid_name',
    ],
    [
      'an output element without an output collection',
      many(collection('inputCollection="=x" outputElement="=y"')),
      'a invalid_loop',
    ],
    [
      'an output collection without an output element',
      many(collection('inputCollection="=x" outputCollection="y"')),
      'a invalid_loop',
    ],
    [
      'a literal output element',
      many(collection('inputCollection="=x" outputCollection="y" outputElement="z"')),
      'a expression_expected',
    ],
    ['a cardinality that is not a number', many(formal('loopCardinality', 'many')), 'a invalid_loop'],
    ['a negative cardinality', many(formal('loopCardinality', '-1')), 'a invalid_loop'],
    [
      'a completion condition in prose',
      many(`${cardinality}<bpmn:completionCondition>enough</bpmn:completionCondition>`),
      'a informal_expression',
    ],
    [
      'a completion condition in another language',
      many(`${cardinality}${formal('completionCondition', '=x').replace('>=', ' language="javascript">=')}`),
      'a foreign_script',
    ],
    ['instances that throw an event', many(cardinality, 'behavior="One"'), 'a unsupported_property'],
    [
      'instances that throw events on a condition',
      many(
        `${cardinality}<bpmn:complexBehaviorDefinition id="cb"><bpmn:condition xsi:type="bpmn:tFormalExpression">=true</bpmn:condition></bpmn:complexBehaviorDefinition>`,
        'behavior="Complex"',
      ),
      'a unsupported_property',
    ],
    ['an input data item', many(`${cardinality}<bpmn:inputDataItem id="i"/>`), 'a unsupported_property'],
    ['a loop without a condition or a maximum', standard(''), 'a invalid_loop'],
    ['a negative maximum', standard('loopMaximum="-1"'), 'a invalid_loop'],
    ['a maximum of zero', standard('loopMaximum="0"'), 'a invalid_loop'],
    ['a literal loop condition', standard('', formal('loopCondition', 'more')), 'a expression_expected'],
    [
      'multi-instance extensions on a standard loop',
      standard('loopMaximum="2"', collection('inputCollection="=x"')),
      'a unsupported_extension',
    ],
    [
      'two loop markers',
      looped('<bpmn:standardLoopCharacteristics loopMaximum="2"/><bpmn:multiInstanceLoopCharacteristics/>'),
      '- duplicate_element',
    ],
    [
      'two loop conditions',
      standard('', formal('loopCondition', '=a') + formal('loopCondition', '=b')),
      '- duplicate_element',
    ],
  ];
  for (const [what, xml, expected] of refused) {
    it(`should refuse ${what}`, async () => {
      expect(await refusalsOf(xml)).to.include(expected);
    });
  }
});
