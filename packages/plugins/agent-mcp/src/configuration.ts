import { duration, filePath, deploymentOnly, keyedBy, secret } from '@countersign/core/plugin';
import type { ServiceIdentifier } from 'inversify';
import { z } from 'zod';
import { OutputSchema } from './output-bounds.js';

const serverName = z
  .string()
  .regex(
    /^[A-Za-z][\w-]{0,29}$/,
    'Expected a name of at most 30 letters, digits, "_" and "-" that starts with a letter.',
  );

const variableName = z.string().regex(/^[A-Za-z_]\w*$/, 'Expected the name of an environment variable.');

const isolationMode = z.enum(['auto', 'namespace', 'user', 'none']);

export type IsolationMode = z.infer<typeof isolationMode>;

/** Excludes user and group 0, because programs must not run as root. */
const nonRootId = z.int().min(1).max(4_294_967_294);

const AllowedToolSchema = z.strictObject({
  Name: z
    .string()
    .regex(/^\w[\w.-]{0,63}$/, 'Expected the name of a tool: at most 64 letters, digits, "_", "-" and ".".')
    .describe('Name of the tool on the MCP server. Agents see it as mcp.SERVER.TOOL.'),
  Effect: z
    .enum(['read', 'write'])
    .default('write')
    .describe('Effect of a call. Only this setting can mark a tool as `read`; claims of the MCP server are ignored.'),
  Reversible: z.boolean().default(false).describe('Whether the effect of a call can be undone.'),
  Digest: z
    .string()
    .regex(/^(sha256:[0-9a-f]{64})?$/, 'Expected sha256: and 64 hexadecimal digits.')
    .default('')
    .describe('Digest that the tool must have. Empty: the tool as first listed, or as last accepted by an admin.'),
});

const ServerSchema = z
  .strictObject({
    Name: serverName.describe('Name of the MCP server, for agents and logs.'),
    Command: z
      .string()
      .min(1)
      .optional()
      .describe('Program that speaks MCP on its standard input and output. Set either Command or Url.'),
    Args: z.array(z.string()).default([]).describe('Arguments of the program.'),
    Env: z
      .record(variableName, secret())
      .default({})
      .describe('Secret environment variables of the program, such as a token. Agents never see their values.'),
    PlainEnv: z
      .record(variableName, z.string())
      .default({})
      .describe(
        'Other environment variables of the program, such as NODE_ENV. The program inherits only PATH from the environment of this server.',
      ),
    Cwd: filePath().optional().describe('Working directory of the program, which it may read.'),
    Isolation: isolationMode
      .optional()
      .describe('How the program is isolated from the secrets of this server. Overrides Agents:Mcp:Isolation.'),
    ReadPaths: z
      .array(filePath())
      .default([])
      .describe(
        'Files and directories that the program may read in its namespace, in addition to the programs and libraries of the system (/usr, /lib, parts of /etc), its Command and its Cwd.',
      ),
    WritePaths: z
      .array(filePath())
      .default([])
      .describe('Files and directories that the program may read and write in its namespace.'),
    Network: z.boolean().default(true).describe('Whether the program may use the network in its namespace.'),
    Url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of a server that speaks MCP over streamable HTTP.'),
    Token: secret().describe('Token that is sent to Url: as a bearer token, or in TokenHeader.'),
    TokenHeader: z
      .string()
      .regex(/^[\w-]*$/, 'Expected the name of a header.')
      .default('')
      .describe('Header of the token if it is not a bearer token, such as X-API-Key.'),
    AllowedTools: keyedBy('Name', z.array(AllowedToolSchema).default([])).describe(
      'Tools that agents may use. Default: none of the tools that the MCP server offers.',
    ),
    Output: OutputSchema.prefault({}).describe('Limits on the output of the program of Command.'),
    Timeout: duration().prefault('PT1M').describe('How long a call may take.'),
    ConnectTimeout: duration()
      .prefault('PT10S')
      .describe(
        'How long connecting and listing the tools may take. The start of this server waits no longer than this.',
      ),
  })
  .refine(
    ({ Command, Url }) => (Command === undefined) !== (Url === undefined),
    'Set either Command or Url, not both.',
  );

export const McpConfigurationSchema = z.object({
  Agents: z.object({
    // Not changeable at runtime: it determines which programs run on this machine, which only the deployer of the
    // server may decide.
    Mcp: deploymentOnly(
      z.object({
        Isolation: isolationMode
          .default('auto')
          .describe(
            'How programs of MCP servers are isolated from the secrets of this server. namespace: with bubblewrap, on Linux. user: they run as User; this server must run as root. auto: namespace if possible, otherwise user; if neither is possible, the server does not start (with development tokens and no secret in the configuration, it only warns). none: not at all.',
          ),
        User: z
          .strictObject({
            Uid: nonRootId.describe('Numeric id of the user.'),
            Gid: nonRootId.describe('Numeric id of the group.'),
          })
          .optional()
          .describe(
            'User for the programs of MCP servers. Used only if this server runs as root. Default in a namespace: nobody (65534).',
          ),
        Servers: keyedBy('Name', z.array(ServerSchema).default([])).describe('MCP servers whose tools agents may use.'),
      }),
    ),
  }),
});

export type McpServerConfiguration = z.infer<typeof ServerSchema>;
export type AllowedTool = z.infer<typeof AllowedToolSchema>;

export type McpConfiguration = z.infer<typeof McpConfigurationSchema>['Agents']['Mcp'];

export const McpConfiguration: ServiceIdentifier<McpConfiguration> = Symbol.for(
  '@countersign/agent-mcp:McpConfiguration',
);

export type McpServers = readonly McpServerConfiguration[];

export const McpServers: ServiceIdentifier<McpServers> = Symbol.for('@countersign/agent-mcp:McpServers');

/** Returns the name of a tool for agents. */
export function toAgentToolName(server: string, tool: string): string {
  return `${MCP_TOOL_PREFIX}${server}.${tool}`;
}

/** Prefix of the names of all MCP tools. */
export const MCP_TOOL_PREFIX = 'mcp.';
