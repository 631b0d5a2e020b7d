export type Pause = (ms: number) => Promise<void>;

export const pauseFor: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
