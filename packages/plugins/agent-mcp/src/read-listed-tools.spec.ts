import { type JsonObject, Redactor, Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { McpConfigurationSchema, type McpServerConfiguration } from './configuration.js';
import { createToolRedactor } from './server-redactor.js';
import { readListedTools, type ToolOffer } from './read-listed-tools.js';

describe('readListedTools()', () => {
  const dsn = 'postgres://app:hunter22@db/x';

  const readOffer = (tool: JsonObject, secrets: Readonly<Record<string, string>>): ToolOffer | undefined => {
    const serverSettings = { Name: 'crm', Command: 'crm', AllowedTools: [{ Name: 'find' }] };
    const [server] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [serverSettings] } } }).Agents.Mcp
      .Servers;
    const Env = Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, new Secret(secret)]));
    const configuration: McpServerConfiguration = { ...server!, Env };
    const hide = createToolRedactor(configuration, new Redactor({ current: [] }));
    return readListedTools(
      configuration,
      { tools: [{ name: 'find', ...tool }], incompleteListReason: undefined },
      hide,
      0,
    ).get('mcp.crm.find');
  };

  it('should hide secrets in a tool, and compute its digest from the original definition', () => {
    // given
    const tool = {
      description: `Queries ${dsn}.`,
      inputSchema: { type: 'object', properties: { dsn: { type: 'string', default: dsn, description: dsn } } },
    };

    // when
    const offer = readOffer(tool, { DSN: dsn, KIND: 'string' });

    // then
    expect(offer?.tool).to.deep.equal({
      name: 'find',
      description: 'Queries [secret].',
      inputSchema: {
        type: 'object',
        properties: { dsn: { type: 'string', default: '[secret]', description: '[secret]' } },
      },
      digest: readOffer(tool, {})?.tool?.digest,
    });
  });

  it('should hide secrets in the problem of an unusable tool', () => {
    const inputSchema = { type: 'object', properties: { [dsn]: { type: 'any' } } };

    expect(readOffer({ inputSchema }, { DSN: dsn })?.problem).to.match(/not valid at \/properties\/\[secret\]\/type:/);
    expect(readOffer({ inputSchema: { type: 'object', [dsn]: '\u0000' } }, { DSN: dsn })?.problem).not.to.include(
      'hunter22',
    );
  });
});
