declare module 'virtual:mantine-styles';

declare module 'virtual:pdf-data' {
  interface DataModule<T> {
    readonly default: T;
  }

  /** Standard fonts by their file names, in base64. */
  export const loadFont: Readonly<Record<string, () => Promise<DataModule<string>>>>;
  /** All character maps by their names, in base64. */
  export const loadCMaps: () => Promise<DataModule<Readonly<Record<string, string>>>>;
}
