import { expect } from 'chai';
import { catchEvent, signal, ROOT_ELEMENTS, throwEvent, subProcessElement } from './events.spec.support.js';
import { flow, serviceTask, model, requireNode, findProblemCodes } from './models.spec.support.js';

function linkDefinition(name: string, references = '', id = ''): string {
  return `<bpmn:linkEventDefinition ${id === '' ? '' : `id="${id}"`} name="${name}">${references}</bpmn:linkEventDefinition>`;
}

/** Returns a model with the flows start → link throw event `t` and link catch event `c` → a → end. */
function linkModel(throwDefinition: string, catchDefinition: string, extraContent = ''): string {
  return model(
    `<bpmn:startEvent id="start"/>${throwEvent('t', throwDefinition)}${catchEvent('c', catchDefinition)}${serviceTask('a')}<bpmn:endEvent id="end"/>
    ${flow('start', 't')}${flow('c', 'a')}${flow('a', 'end')}${extraContent}`,
    ROOT_ELEMENTS,
  );
}

describe('link events', () => {
  it('should connect a link throw event to the link catch event of the same name', async () => {
    const xml = linkModel(linkDefinition('go'), linkDefinition(' go '));
    expect((await requireNode(xml, 't', 'linkThrow')).targetId).to.equal('c');
    expect((await requireNode(xml, 'c', 'passTask')).type).to.equal('intermediateCatchEvent');
  });

  it('should connect a second link throw event to the same link catch event', async () => {
    const secondThrowEvent = throwEvent('u', linkDefinition('go')) + flow('start', 'u');
    expect(
      (await requireNode(linkModel(linkDefinition('go'), linkDefinition('go'), secondThrowEvent), 'u', 'linkThrow'))
        .targetId,
    ).to.equal('c');
  });

  it('should accept source and target references that match the link names', async () => {
    const xml = linkModel(
      linkDefinition('go', '<bpmn:target>lc</bpmn:target>', 'lt'),
      linkDefinition('go', '<bpmn:source>lt</bpmn:source>', 'lc'),
    );
    expect((await requireNode(xml, 't', 'linkThrow')).targetId).to.equal('c');
  });

  const secondCatchEvent = catchEvent('d', linkDefinition('go')) + flow('d', 'end');
  const nestedContent = `<bpmn:startEvent id="i"/>${throwEvent('deep', linkDefinition('go'))}<bpmn:endEvent id="o"/>${flow('i', 'deep')}`;
  const invalidCases: readonly (readonly [string, string, string])[] = [
    [
      'a link throw event without a catch event',
      linkModel(linkDefinition('go'), linkDefinition('come')),
      't missing_link_target',
    ],
    [
      'a link catch event without a throw event',
      linkModel(linkDefinition('go'), linkDefinition('come')),
      'c missing_link_source',
    ],
    ['a link without a name', linkModel(linkDefinition(''), linkDefinition('go')), 't missing_value'],
    [
      'two catch events for one link',
      linkModel(linkDefinition('go'), linkDefinition('go'), secondCatchEvent),
      'd duplicate_link',
    ],
    [
      'a link across scopes',
      linkModel(
        linkDefinition('go'),
        linkDefinition('go'),
        subProcessElement('subProcess', 's', nestedContent) + flow('a', 's') + flow('s', 'end'),
      ),
      'deep missing_link_target',
    ],
    [
      'a target reference to a link with another name',
      linkModel(
        linkDefinition('go', '<bpmn:target>ld</bpmn:target>'),
        linkDefinition('go'),
        throwEvent('u', linkDefinition('x')) +
          flow('start', 'u') +
          catchEvent('d', linkDefinition('x', '', 'ld')) +
          flow('d', 'end'),
      ),
      't link_mismatch',
    ],
    [
      'a source reference to a link with another name',
      linkModel(
        linkDefinition('go'),
        linkDefinition('go', '<bpmn:source>lu</bpmn:source>'),
        throwEvent('u', linkDefinition('x', '', 'lu')) +
          flow('start', 'u') +
          catchEvent('d', linkDefinition('x')) +
          flow('d', 'end'),
      ),
      'c link_mismatch',
    ],
    [
      'a flow out of the throw event',
      linkModel(linkDefinition('go'), linkDefinition('go'), flow('t', 'a')),
      't unexpected_outgoing',
    ],
    [
      'a flow into the catch event',
      linkModel(linkDefinition('go'), linkDefinition('go'), flow('a', 'c')),
      'c unexpected_incoming',
    ],
    [
      'a throw event without an incoming flow',
      linkModel(linkDefinition('go'), linkDefinition('go')).replace(flow('start', 't'), flow('start', 'a')),
      't missing_incoming',
    ],
    [
      'a catch event without an outgoing flow',
      linkModel(linkDefinition('go'), linkDefinition('go')).replace(flow('c', 'a'), ''),
      'c missing_outgoing',
    ],
    [
      'a link with a second event definition',
      linkModel(linkDefinition('go') + signal('alarm'), linkDefinition('go')),
      't impossible_event',
    ],
  ];
  for (const [title, xml, expected] of invalidCases) {
    it(`should refuse ${title}`, async () => {
      expect(await findProblemCodes(xml)).to.include(expected);
    });
  }
});
