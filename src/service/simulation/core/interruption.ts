/**
 * Why a fast-forward has to end, once there is a reason. The fast-forward looks at it between its changes, and never
 * while it undoes them.
 */
export interface Interruption {
  fact?: string
}
