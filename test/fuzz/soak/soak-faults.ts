/** What goes wrong on purpose, so that the soak is seen to notice it. */
export const SOAK_FAULTS = ['memory', 'handle', 'answer'] as const
export type SoakFault = (typeof SOAK_FAULTS)[number]
