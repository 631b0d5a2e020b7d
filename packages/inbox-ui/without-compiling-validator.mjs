/** For Vite: the form library comes with helpers for its own tests, which want a validator that compiles schemas to code. Nothing here calls them. */
export const withoutCompilingValidator = {
  name: 'without-compiling-validator',
  enforce: 'pre',
  resolveId: (id) => (id === '@rjsf/validator-ajv8' ? '\0no-validator' : undefined),
  load: (id) => (id === '\0no-validator' ? 'export default undefined;' : undefined),
};
