/**
 * A language model as the `ai` package knows it, version 5 or later: what a provider gives (`openai('gpt-5')`), or a model
 * id of the AI gateway. Opaque here, so that the package stays optional.
 */
export type LanguageModel = string | { readonly modelId: string; readonly provider: string }
