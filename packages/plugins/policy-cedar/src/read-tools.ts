import { MalformedDeclarationError } from './declared-risk.js';

const MAX_TOOLS = 200;
const TOOL_NAME_PATTERN = /^[\w.:/-]{1,128}$/;

/** Parses the task header `tools`: comma-separated names. A step without the header may not use any tools. */
export function readTools(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length > MAX_TOOLS)
    throw new MalformedDeclarationError(`the header "tools" names more than ${MAX_TOOLS} tools`);
  const invalidName = names.find((name) => !TOOL_NAME_PATTERN.test(name));
  if (invalidName === undefined) return names;
  throw new MalformedDeclarationError(
    `the header "tools" must be a comma-separated list of tool names, and ${JSON.stringify(invalidName.slice(0, 80))} is not a tool name`,
  );
}
