require 'json'
require 'net/http'

def call(method, url, key, body = nil)
  uri = URI(url)
  headers = { 'Authorization' => "Bearer #{key}", 'Content-Type' => 'application/json' }
  request = Net::HTTP.const_get(method.capitalize).new(uri, headers)
  request.body = body.to_json if body
  answer = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
  raise "#{method} #{url}: #{answer.code} #{answer.body}" if answer.code.to_i >= 400

  answer.body.to_s.empty? ? nil : JSON.parse(answer.body)
end

service, account = ENV.values_at('BACKLOT_URL', 'BACKLOT_ACCOUNT_KEY')
api = call('post', "#{service}/v1/simulations", account, { library: 'payments' })
simulation = "#{service}/v1/simulations/#{api['id']}"
begin
  call('post', "#{simulation}/fast-forward", account, { hours: 720 })
  overdue = call('get', "#{api['url']}/invoices?status=overdue", api['apiKey'])
  raise 'no invoice is overdue' if overdue['data'].empty?
ensure
  call('delete', simulation, account)
end
