/**
 * Vite plugin that leaves out the validator that compiles schemas to code. Only test helpers of the form library import
 * it, and nothing calls them here.
 */
export const withoutCompilingValidator = {
  name: 'without-compiling-validator',
  enforce: 'pre',
  resolveId: (id) => (id === '@rjsf/validator-ajv8' ? '\0no-validator' : undefined),
  load: (id) => (id === '\0no-validator' ? 'export default undefined;' : undefined),
};
