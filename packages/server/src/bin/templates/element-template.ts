import type { ConnectorContribution } from '@countersign/core';
import { z } from 'zod';
import { createInputProperties, type InputSchema } from './input-properties.js';

const TEMPLATE_SCHEMA_URL = 'https://unpkg.com/@camunda/zeebe-element-templates-json-schema/resources/schema.json';

/** A property of an element template, as defined by its JSON Schema. */
export interface TemplateProperty {
  readonly id: string;
  readonly [key: string]: unknown;
}

export interface ElementTemplate {
  readonly id: string;
  readonly properties: readonly TemplateProperty[];
  readonly [key: string]: unknown;
}

/**
 * Returns the element template of a connector for Camunda Modeler (Camunda 8): a service task with the job type, one
 * field per input, and the variable for the output.
 */
export function createElementTemplate(connector: Omit<ConnectorContribution, 'call'>): ElementTemplate {
  const { id, title, description, jobType, version, effect } = connector;
  const inputs = createInputProperties(z.toJSONSchema(connector.input, { io: 'input' }) as InputSchema);
  const usedGroups = new Set(inputs.map(({ group }) => group));
  return {
    $schema: TEMPLATE_SCHEMA_URL,
    name: title,
    id,
    version,
    description: `${description} ${effect === 'read' ? 'Only reads data.' : 'May change data.'}`,
    category: { id: 'countersign', name: 'Countersign' },
    appliesTo: ['bpmn:Task', 'bpmn:ServiceTask'],
    elementType: { value: 'bpmn:ServiceTask' },
    groups: [...INPUT_GROUPS.filter((group) => usedGroups.has(group.id)), ...FIXED_GROUPS],
    properties: [
      { id: 'jobType', type: 'Hidden', value: jobType, binding: { type: 'zeebe:taskDefinition', property: 'type' } },
      ...inputs,
      {
        id: 'resultVariable',
        label: 'Result variable',
        description: 'Variable for the result. If empty, the result is discarded.',
        type: 'String',
        group: 'output',
        optional: true,
        binding: { type: 'zeebe:taskHeader', key: 'resultVariable' },
      },
      {
        id: 'retries',
        label: 'Attempts',
        type: 'String',
        value: '3',
        feel: 'optional',
        group: 'retries',
        binding: { type: 'zeebe:taskDefinition', property: 'retries' },
      },
    ],
  };
}

const INPUT_GROUPS = [
  { id: 'input', label: 'Input' },
  { id: 'authentication', label: 'Authentication' },
  { id: 'limits', label: 'Limits' },
];
const FIXED_GROUPS = [
  { id: 'output', label: 'Output' },
  { id: 'retries', label: 'Attempts' },
];
