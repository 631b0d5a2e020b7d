import { validateZeebe } from '@bpmn-io/element-templates-validator';
import { connectorCodehostPlugin } from '@countersign/connector-codehost';
import { connectorHttpPlugin } from '@countersign/connector-http';
import { connectorNotifyPlugin } from '@countersign/connector-notify';
import { ConnectorContribution, secretName, type Implementation } from '@countersign/core';
import { expect } from 'chai';
import { z } from 'zod';
import { createElementTemplate, type ElementTemplate } from './element-template.js';

describe('createElementTemplate', () => {
  const createConnector = (input: z.ZodObject, overrides: object = {}) => ({
    id: 'test.echo',
    title: 'Echo',
    description: 'Returns a text.',
    jobType: 'echo',
    version: 3,
    effect: 'read' as const,
    input,
    output: z.object({}),
    ...overrides,
  });
  const findProperty = ({ properties }: ElementTemplate, id: string) => properties.find((each) => each.id === id);
  const findTemplateErrors = (template: ElementTemplate) => {
    const { valid, errors = [] } = validateZeebe(template);
    return valid ? [] : errors.map(({ message, instancePath = '' }) => `${instancePath}: ${message}`);
  };

  const AnyInput = z.strictObject({
    text: z.string().min(1).meta({ title: 'Text', description: 'The text to return.' }),
    times: z.int().default(1),
    loud: z.boolean().default(false),
    level: z.enum(['low', 'high']).default('low'),
    tags: z.array(z.string()).optional(),
    data: z.json().optional(),
    address: z.strictObject({ street: z.string(), city: z.string().optional() }),
    authentication: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('none').meta({ title: 'None' }) }),
      z.strictObject({ type: z.literal('key'), secret: secretName() }),
      z.strictObject({ type: z.literal('other'), secret: secretName() }),
    ]),
  });

  it('should pass the template validation of Camunda Modeler', () => {
    expect(findTemplateErrors(createElementTemplate(createConnector(AnyInput)))).to.deep.equal([]);
    // Proves that the check can find errors.
    expect(
      findTemplateErrors({ ...createElementTemplate(createConnector(AnyInput)), appliesTo: undefined }),
    ).not.to.deep.equal([]);
  });

  it('should create a service task template with the job type and a result variable', () => {
    const template = createElementTemplate(createConnector(AnyInput));

    expect(template).to.deep.include({
      id: 'test.echo',
      name: 'Echo',
      version: 3,
      elementType: { value: 'bpmn:ServiceTask' },
    });
    expect(findProperty(template, 'jobType')).to.deep.include({
      type: 'Hidden',
      value: 'echo',
      binding: { type: 'zeebe:taskDefinition', property: 'type' },
    });
    expect(findProperty(template, 'resultVariable')).to.deep.include({
      optional: true,
      binding: { type: 'zeebe:taskHeader', key: 'resultVariable' },
    });
  });

  it('should create a field of the matching type for each input', () => {
    const template = createElementTemplate(createConnector(AnyInput));

    expect(findProperty(template, 'text')).to.deep.equal({
      id: 'text',
      type: 'String',
      feel: 'optional',
      label: 'Text',
      description: 'The text to return.',
      constraints: { notEmpty: true },
      group: 'input',
      binding: { type: 'zeebe:input', name: 'text' },
    });
    expect(findProperty(template, 'times')).to.deep.include({
      type: 'Number',
      feel: 'optional',
      optional: true,
      description: 'By default 1.',
    });
    expect(findProperty(template, 'loud')).to.deep.include({ type: 'Boolean', optional: true });
    expect(findProperty(template, 'level')).to.deep.include({
      type: 'Dropdown',
      value: 'low',
      choices: [
        { name: 'low', value: 'low' },
        { name: 'high', value: 'high' },
      ],
    });
    expect(findProperty(template, 'tags')).to.deep.include({ type: 'Text', feel: 'required', optional: true });
    expect(findProperty(template, 'data')).to.deep.include({ type: 'Text', feel: 'optional', optional: true });
    expect(findProperty(template, 'address.street')).to.deep.include({
      constraints: { notEmpty: true },
      binding: { type: 'zeebe:input', name: 'address.street' },
    });
    expect(findProperty(template, 'address.city')).to.deep.include({ optional: true });
  });

  it('should show fields of a variant only when it is chosen, and allow no expression for a secret name', () => {
    const template = createElementTemplate(createConnector(AnyInput));

    expect(findProperty(template, 'authentication.type')).to.deep.include({
      type: 'Dropdown',
      value: 'none',
      group: 'authentication',
      choices: [
        { name: 'None', value: 'none' },
        { name: 'key', value: 'key' },
        { name: 'other', value: 'other' },
      ],
    });
    expect(findProperty(template, 'key:authentication.secret')).to.deep.include({
      type: 'String',
      binding: { type: 'zeebe:input', name: 'authentication.secret' },
      condition: { type: 'simple', property: 'authentication.type', equals: 'key' },
    });
    expect(findProperty(template, 'other:authentication.secret')).to.have.nested.property('condition.equals', 'other');
    expect(findProperty(template, 'key:authentication.secret')).not.to.have.property('feel');
  });

  it('should create valid templates for the connectors that come with the server', () => {
    const connectors: ConnectorContribution[] = [];
    const collectConnector = (point: unknown, Connector: Implementation<unknown>): void => {
      if (point === ConnectorContribution) connectors.push(new Connector() as ConnectorContribution);
    };
    for (const plugin of [connectorHttpPlugin, connectorCodehostPlugin, connectorNotifyPlugin])
      plugin.register({
        config: {},
        live: {},
        bind: () => undefined,
        provide: () => undefined,
        contribute: collectConnector,
      } as never);

    expect(connectors).to.have.length(6);
    for (const each of connectors) expect(findTemplateErrors(createElementTemplate(each)), each.id).to.deep.equal([]);
  });
});
