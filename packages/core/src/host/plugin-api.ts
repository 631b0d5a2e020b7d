/**
 * The version of what `@countersign/core/plugin` offers, by the rules of semantic versioning. A plugin's manifest names
 * the range that it works with.
 */
export const PLUGIN_API_VERSION = '0.1.0';
