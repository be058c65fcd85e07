import { Resend } from 'resend'

export default function open({ url, key }) {
  return new Resend(`re_${key}`, { baseUrl: url })
}
