import { BOT, type Context, find, toPage } from './context.ts'

export const users = {
  'GET /v1/users': (context: Context) => toPage(context, 'user', [...context.records.users], (user) => user),
  'GET /v1/users/me': (context: Context) => find(context, 'users', BOT.id),
  'GET /v1/users/{user_id}': (context: Context) => find(context, 'users', context.path.user_id),
}
